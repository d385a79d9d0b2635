package oracle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// patience bounds every single wait.
const patience = 20 * time.Second

// envoy is one process.
type envoy struct {
	process *os.Process
	done    chan struct{} // closed when the process has ended
	admin   string        // address
	ping    string        // address of a listener that answers by itself
	output  bytes.Buffer  // read after done
}

func version(binary string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, binary, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", binary, err)
	}
	// "…/envoy  version: COMMIT/1.40.0/Clean/RELEASE/BoringSSL"
	parts := strings.Split(strings.TrimSpace(string(out)), "/")
	if len(parts) < 4 {
		return "", fmt.Errorf("%s --version: %q", binary, out)
	}
	return parts[len(parts)-4], nil
}

// startEnvoy runs a process that takes its listeners from the file list, and waits until it serves. The error is errEnded
// if it does not like its configuration.
func startEnvoy(binary string, drain int, dir, list string, static ...any) (*envoy, error) {
	bootstrap, err := json.Marshal(bootstrap(list, static...))
	if err != nil {
		return nil, err
	}
	adminPath := filepath.Join(dir, "admin")
	if err := os.Remove(adminPath); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	e := &envoy{done: make(chan struct{})}
	cmd := exec.Command(binary, "--config-yaml", string(bootstrap), "--use-dynamic-base-id", "--disable-hot-restart",
		"--concurrency", "1", "--log-level", "off", "--admin-address-path", adminPath, "--drain-time-s", strconv.Itoa(drain),
		"--drain-strategy", "immediate")
	cmd.Dir, cmd.Env = dir, []string{}
	cmd.Stdout, cmd.Stderr = &e.output, &e.output
	tether(cmd)
	started := make(chan error)
	go func() {
		// A tethered process dies with the thread that started it, so that thread has to live as long.
		runtime.LockOSThread()
		err := cmd.Start()
		e.process = cmd.Process
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is of no interest, only that
			close(e.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	if err := e.ready(adminPath); err != nil {
		e.stop()
		return nil, fmt.Errorf("envoy does not start: %w\n%s", err, e.output.Bytes())
	}
	return e, nil
}

// ready waits for the admin address and for the listener that answers by itself.
func (e *envoy) ready(adminPath string) error {
	return poll(e.done, func() (bool, error) {
		address, err := os.ReadFile(adminPath)
		if err != nil || len(address) == 0 {
			return false, nil // not written yet
		}
		e.admin = string(address)
		addresses, err := e.listeners()
		if err != nil {
			return false, nil // it does not serve yet
		}
		e.ping = addresses[pingListener]
		return e.ping != "" && e.answers(), nil
	})
}

// answers asks the worker thread, which serves every listener.
func (e *envoy) answers() bool {
	r, err := send(e.ping, Request{Target: "/"})
	return err == nil && r.Status == http.StatusOK
}

// crashed tells a lost connection from a lost process: the one worker that carried the connection either answers another
// one, or ends, with the process.
func (e *envoy) crashed() (bool, error) {
	answered := make(chan bool, 1)
	go func() { answered <- e.answers() }()
	select {
	case <-e.done:
		return true, nil
	case ok := <-answered:
		if ok {
			return false, nil
		}
	}
	select {
	case <-e.done:
		return true, nil
	case <-time.After(patience):
		return false, errors.New("envoy neither answers nor ends")
	}
}

func (e *envoy) stop() {
	_ = e.process.Kill() // it may have ended
	<-e.done
}

var errEnded = errors.New("envoy has ended")

// poll calls check until it says that it is done, for as long as the process lives and patience lasts.
func poll(ended <-chan struct{}, check func() (bool, error)) error {
	deadline := time.After(patience)
	for wait := time.Millisecond; ; wait = min(2*wait, 20*time.Millisecond) {
		done, err := check()
		if done || err != nil {
			return err
		}
		select {
		case <-ended:
			return errEnded
		case <-deadline:
			return fmt.Errorf("nothing happened for %v", patience)
		case <-time.After(wait):
		}
	}
}
