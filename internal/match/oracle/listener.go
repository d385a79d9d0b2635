package oracle

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// pingListener answers by itself.
const pingListener = "ping"

// proxy is a listener of Envoy with a server behind it.
type proxy struct {
	name     string
	key      string // of its setup
	listener map[string]any
	server   backend
	address  string // where it listens
	rejected string // why Envoy refused it; "" if it did not
}

// proxyFor gives the listener of a setup, and makes it if Envoy does not have it.
func (o *Oracle) proxyFor(s Setup) (*proxy, error) {
	key, err := keyOf(s)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(o.proxies, func(p *proxy) bool { return p.key == key }); i >= 0 {
		return o.proxies[i], nil
	}
	server, err := o.serverFor(s)
	if err != nil {
		return nil, err
	}
	o.made++
	p := &proxy{name: "proxy-" + strconv.Itoa(o.made), key: key, server: server}
	if err := os.WriteFile(o.path(p), s.Dictionary, 0o600); err != nil {
		return nil, err
	}
	filter, err := transcoder(s, o.path(p))
	if err != nil {
		return nil, err
	}
	p.listener = listener(p.name, routes(s.Routes, server.where()), filter)
	o.proxies = append(o.proxies, p)
	if len(o.proxies) > maxProxies {
		o.forget(maxProxies / 2)
	}
	if err := o.push(); err != nil {
		return nil, err
	}
	return p, o.await(p)
}

// forget drops the oldest n proxies, and the servers that no other has. Envoy is told with the next push.
func (o *Oracle) forget(n int) {
	o.proxies = slices.Clone(o.proxies[n:])
	for key, s := range o.servers {
		if !slices.ContainsFunc(o.proxies, func(p *proxy) bool { return p.server == s }) {
			s.stop()
			delete(o.servers, key)
		}
	}
}

func keyOf(s Setup) (string, error) {
	options, err := json.Marshal([]any{s.Transcoder, s.Routes, s.Library})
	if err != nil {
		return "", fmt.Errorf("transcoder options: %w", err)
	}
	return fmt.Sprintf("%x %x %s", sha256.Sum256(s.Dictionary), sha256.Sum256(s.Server), options), nil
}

// transcoder is the filter's configuration. A dictionary that cannot be read exposes nothing by default.
func transcoder(s Setup, path string) (map[string]any, error) {
	config := maps.Clone(s.Transcoder)
	if config == nil {
		config = map[string]any{}
	}
	config["@type"] = "type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder"
	config["proto_descriptor"] = path
	if _, ok := config["services"]; !ok {
		set, err := descriptor.Decode(s.Dictionary)
		if err != nil {
			return nil, fmt.Errorf("dictionary without services: %w", err)
		}
		names := []string{}
		for _, service := range set.Services {
			names = append(names, service.Name)
		}
		config["services"] = names
	}
	return map[string]any{"name": "envoy.filters.http.grpc_json_transcoder", "typed_config": config}, nil
}

// push delivers the list of listeners: a file that takes the place of the old one in one step.
func (o *Oracle) push() error {
	o.pushes++
	resources := []map[string]any{}
	for _, p := range o.proxies {
		if p.rejected == "" {
			resource := maps.Clone(p.listener)
			resource["@type"] = "type.googleapis.com/envoy.config.listener.v3.Listener"
			resources = append(resources, resource)
		}
	}
	raw, err := json.Marshal(map[string]any{"version_info": strconv.Itoa(o.pushes), "resources": resources})
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.listPath()+".next", raw, 0o600); err != nil {
		return err
	}
	return os.Rename(o.listPath()+".next", o.listPath())
}

func (o *Oracle) listPath() string { return filepath.Join(o.dir, "listeners.json") }

// await waits for Envoy's word on a listener that it does not have.
func (o *Oracle) await(p *proxy) error {
	err := poll(o.envoy.done, func() (bool, error) {
		v, err := o.envoy.verdict("^" + p.name + "$")
		if err != nil {
			return false, err
		}
		p.rejected = v.Error.Details
		return v.Active.Version != "" || p.rejected != "", nil
	})
	if err != nil || p.rejected != "" {
		return err
	}
	return poll(o.envoy.done, func() (bool, error) {
		addresses, err := o.envoy.listeners()
		p.address = addresses[p.name]
		return p.address != "", err
	})
}

// serverFor gives the server of a setup, and starts it if need be.
func (o *Oracle) serverFor(s Setup) (backend, error) {
	key := fmt.Sprint(s.Library, " ", string(s.Server))
	if b, ok := o.servers[key]; ok {
		return b, nil
	}
	b, err := o.startServer(s)
	if err != nil {
		return nil, err
	}
	o.servers[key] = b
	return b, nil
}

func (o *Oracle) startServer(s Setup) (backend, error) {
	switch {
	case s.Library == Frames:
		return startFrames()
	case s.Library == GRPCGo:
		return startServer(s.Server)
	case o.ccore == nil:
		return nil, errors.New("a server of the C core without Options.CCore")
	}
	return o.ccore.serverFor(s.Server)
}
