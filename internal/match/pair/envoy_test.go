package pair_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match/oracle"
	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// TestWitnessesAgainstEnvoy sends the witness of every effect of every row, in both directions, through a real Envoy.
func TestWitnessesAgainstEnvoy(t *testing.T) {
	o := oracle.Start(t, oracle.Options{Required: os.Getenv("CI") == "true"})
	sent := 0
	for _, r := range rows() {
		t.Run(r.fact, func(t *testing.T) {
			sent += witnesses(t, o, r.old, r.new, r.options) + witnesses(t, o, r.new, r.old, r.options)
		})
	}
	t.Logf("%d witnesses", sent)
}

func witnesses(t *testing.T, o *oracle.Oracle, old, new string, options pair.Options) int {
	a, b := compile(t, old), compile(t, new)
	sent := 0
	for _, route := range pair.Compare(decode(t, old), decode(t, new), options).Routes {
		for _, e := range route.Fields {
			if strings.HasSuffix(e.Detail, "never sends it") {
				continue // shows what is gone, not what happens
			}
			setup := map[pair.State]oracle.Setup{
				pair.DictionaryAhead: {Dictionary: b, Server: a},
				pair.ServerAhead:     {Dictionary: a, Server: b},
				pair.After:           {Dictionary: b, Server: b},
				pair.Before:          {Dictionary: a, Server: a},
			}[e.State]
			if options.Config.ConvertGRPCStatus {
				setup.Transcoder = map[string]any{"convert_grpc_status": true}
			}
			q, a := e.Witness.Request, e.Witness.Answer
			real := o.Exchange(t, oracle.Case{
				Setup:   setup,
				Request: oracle.Request{Method: q.Method, Target: q.Target, Body: q.Body},
				Answer:  oracle.Answer{Messages: a.Messages, Code: a.Code, Message: a.Message, Details: a.Details},
			})
			sent++
			switch crash := e.Outcome == transcode.ProxyEnds; {
			case crash != real.ProxyCrashed, !crash && real.Status != e.Witness.Status:
				t.Errorf("%s %s: %s of %q: Envoy %d %q, ended %t", e.State, e.Outcome, q.Target, q.Body, real.Status, real.Body, real.ProxyCrashed)
			case e.Path == "google.rpc.Status.details" && len(real.Body) > 0:
				t.Errorf("%s: a status with an unknown detail was written: %q", e.State, real.Body)
			case real.Status == 200 && e.Witness.Body != nil && !sameJSON(real.Body, e.Witness.Body):
				t.Errorf("%s %s: %s of %q: Envoy %q, said %q", e.State, e.Outcome, q.Target, q.Body, real.Body, e.Witness.Body)
			}
		}
	}
	return sent
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return bytes.Equal(a, b) || json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
