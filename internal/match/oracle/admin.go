package oracle

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// listeners gives the addresses by listener name.
func (e *envoy) listeners() (map[string]string, error) {
	var answer struct {
		Statuses []struct {
			Name    string `json:"name"`
			Address struct {
				Socket struct {
					Host string `json:"address"`
					Port int    `json:"port_value"`
				} `json:"socket_address"`
			} `json:"local_address"`
		} `json:"listener_statuses"`
	}
	if err := e.ask("/listeners?format=json", &answer); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, l := range answer.Statuses {
		out[l.Name] = fmt.Sprintf("%s:%d", l.Address.Socket.Host, l.Address.Socket.Port)
	}
	return out, nil
}

// verdict is what Envoy says of a listener that it was sent.
type verdict struct {
	Active struct {
		Version string `json:"version_info"`
	} `json:"active_state"`
	Error struct {
		Details string `json:"details"`
		Version string `json:"version_info"`
	} `json:"error_state"`
}

// verdict of a listener by name; zero if Envoy does not know it (yet).
func (e *envoy) verdict(name string) (verdict, error) {
	var answer struct {
		Configs []verdict `json:"configs"`
	}
	query := url.Values{"resource": {"dynamic_listeners"}, "name_regex": {name}}
	if err := e.ask("/config_dump?"+query.Encode(), &answer); err != nil {
		return verdict{}, err
	}
	if len(answer.Configs) == 0 {
		return verdict{}, nil
	}
	return answer.Configs[0], nil
}

// updates counts the lists of listeners that Envoy has dealt with.
func (e *envoy) updates() (int, error) {
	var answer struct {
		Stats []struct {
			Value int `json:"value"`
		} `json:"stats"`
	}
	query := url.Values{"format": {"json"}, "filter": {`^listener_manager\.lds\.update_(success|rejected)$`}}
	if err := e.ask("/stats?"+query.Encode(), &answer); err != nil {
		return 0, err
	}
	sum := 0
	for _, s := range answer.Stats {
		sum += s.Value
	}
	return sum, nil
}

func (e *envoy) ask(target string, into any) error {
	r, err := send(e.admin, Request{Target: target})
	if err != nil {
		return err
	}
	if r.Status != http.StatusOK {
		return fmt.Errorf("envoy admin: %s: status %d: %s", target, r.Status, r.Body)
	}
	return json.Unmarshal(r.Body, into)
}
