package cli

import (
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/dictionary"
	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// comparison is one run of pair.
type comparison struct {
	old, new dictionary.Release
	options  pair.Options
	server   string
	result   pair.Result
}

// document writes a comparison in plain values.
func (c *comparison) document() diag.Pair {
	r := c.result
	d := diag.Pair{
		Schema:            diag.PairSchemaVersion,
		Old:               side(c.old, c.options.OldServices),
		New:               side(c.new, c.options.NewServices),
		Server:            c.server,
		Options:           optionsOf(c.options.Config),
		Breaking:          []diag.PairBreak{},
		SafeOrder:         string(r.SafeOrder),
		SafeOrderIfUnused: string(r.SafeOrderIfUnused),
		PreferredOrder:    string(r.PreferredOrder),
		Restart:           r.Restart,
		ListOrder:         string(r.ListOrder),
		Routes:            []diag.PairRoute{},
		Migration:         []diag.PairStep{},
		Limits:            append([]string{}, r.Limits...),
	}
	in := c.places()
	for _, route := range r.Routes {
		x := diag.PairRoute{Verb: route.Verb, Template: route.Template, Method: route.Method, Effects: []diag.PairEffect{}}
		x.In = string(in[x.Verb+" "+x.Template])
		for _, e := range route.Fields {
			shown := effect(e)
			x.Effects = append(x.Effects, shown)
			if e.Client == pair.OldClient && e.State == pair.After {
				d.Breaking = append(d.Breaking, diag.PairBreak{Verb: x.Verb, Template: x.Template, Method: x.Method, PairEffect: shown})
			}
		}
		d.Routes = append(d.Routes, x)
	}
	for _, s := range r.Migration {
		d.Migration = append(d.Migration, diag.PairStep{Name: s.Name, What: append([]string{}, s.What...), When: s.When})
	}
	return d
}

func side(r dictionary.Release, services []string) diag.PairSide {
	return diag.PairSide{Name: r.Name, Services: services, Methods: methodsOf(r.Set, services)}
}

// places says for each verb and template which API has it. Templates whose variables have other names are one route.
func (c *comparison) places() map[string]pair.Client {
	had, has := c.keys(c.old, c.options.OldServices), c.keys(c.new, c.options.NewServices)
	inOld, inNew := map[string]bool{}, map[string]bool{}
	for _, key := range had {
		inOld[key] = true
	}
	for _, key := range has {
		inNew[key] = true
	}
	out := map[string]pair.Client{}
	for _, names := range []map[string]string{had, has} {
		for name, key := range names {
			switch {
			case inOld[key] && inNew[key]:
				out[name] = pair.BothClient
			case inOld[key]:
				out[name] = pair.OldClient
			default:
				out[name] = pair.NewClient
			}
		}
	}
	return out
}

// keys gives the key of every route of a dictionary, by verb and template; none if a proxy refuses it.
func (c *comparison) keys(r dictionary.Release, services []string) map[string]string {
	config := c.options.Config
	config.Services = services
	proxy, err := transcode.Load(r.Set, config)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, b := range proxy.Bindings() {
		out[b.Rule.Verb+" "+b.Rule.Template] = b.Key()
	}
	return out
}

func effect(e pair.Effect) diag.PairEffect {
	w := e.Witness
	return diag.PairEffect{
		Field: e.Path, Direction: string(e.Direction), Client: string(e.Client), State: string(e.State),
		Outcome: string(e.Outcome), Detail: e.Detail, Kind: string(e.Change.Kind), Change: e.Change.Words,
		Witness: diag.PairWitness{
			Request: strings.TrimSpace(w.Request.Method + " " + w.Request.Target), Body: string(w.Request.Body),
			Answer: w.Answer.Messages, Status: w.Status, Reply: string(w.Body),
		},
	}
}
