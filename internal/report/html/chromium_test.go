package html_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A browser shows what no parser does: whether a page reaches for the network, whether texts leave their boxes, whether they
// can be read. It is driven over a pipe, so that it needs no port.

var chromium = flag.String("chromium", "", "path of Chromium, headless; without it, .chromium/chromium below the module root")

// patience bounds every single wait.
const patience = 30 * time.Second

// browser is one process with one page.
type browser struct {
	in      *os.File
	answers chan message
	next    int
	session string
	events  []message // since the last navigation
}

type message struct {
	ID     int             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct{ Message string }
	// SessionID of the page; none of the browser.
	SessionID string `json:"sessionId,omitempty"`
}

// start runs a browser, or skips; where CI is set there must be one.
func start(t *testing.T) *browser {
	t.Helper()
	binary, err := findChromium()
	if err != nil {
		if *chromium != "" || os.Getenv("CI") == "true" {
			t.Fatalf("no Chromium, which this run requires (.ci/chromium installs it): %v", err)
		}
		t.Skipf("skipped: no Chromium (.ci/chromium installs it): %v", err)
	}
	return run(t, binary)
}

func run(t *testing.T, binary string) *browser {
	t.Helper()
	toRead, toWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromRead, fromWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.MkdirTemp("", "chromium-*")
	if err != nil {
		t.Fatal(err)
	}
	// The sandbox is off, since it does not work for root: the page is our own, and has no script.
	cmd := exec.Command(binary, "--headless", "--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--disable-background-networking", "--no-first-run", "--remote-debugging-pipe", "--user-data-dir="+filepath.Join(home, "profile"), "about:blank")
	dir := filepath.Dir(binary)
	cmd.Env = []string{"HOME=" + home, "LD_LIBRARY_PATH=" + filepath.Join(dir, "lib")}
	if _, err := os.Stat(filepath.Join(dir, "fonts.conf")); err == nil {
		cmd.Env = append(cmd.Env, "FONTCONFIG_FILE="+filepath.Join(dir, "fonts.conf"))
	}
	cmd.ExtraFiles = []*os.File{toRead, fromWrite} // its 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = toRead.Close(), fromWrite.Close()
	b := &browser{in: toWrite, answers: make(chan message, 1024)}
	go b.listen(fromRead)
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is of no interest, only that
		close(ended)
	}()
	t.Cleanup(func() {
		_, _ = toWrite.Write([]byte(`{"id":1000000,"method":"Browser.close"}` + "\x00"))
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		_, _ = toWrite.Close(), fromRead.Close()
		_ = os.RemoveAll(home) // its helpers may still be writing: what is left is in a directory for such things
	})
	var version struct{ Product string }
	b.call(t, "Browser.getVersion", nil, &version)
	t.Log(version.Product)
	var target struct{ TargetID string }
	b.call(t, "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(t, domain+".enable", nil, nil)
	}
	b.call(t, "Network.emulateNetworkConditions", map[string]any{"offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}, nil)
	return b
}

// listen splits what the browser says at the zero bytes.
func (b *browser) listen(from *os.File) {
	defer close(b.answers)
	r := bufio.NewReader(from)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) == nil {
			b.answers <- m
		}
	}
}

// call sends a command and waits for its answer; events on the way are kept.
func (b *browser) call(t *testing.T, method string, params any, result any) {
	t.Helper()
	b.next++
	m := map[string]any{"id": b.next, "method": method}
	if params != nil {
		m["params"] = params
	}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		t.Fatal(err)
	}
	answer := b.until(t, method, func(m message) bool { return m.ID == b.next })
	if answer.Error != nil {
		t.Fatalf("%s: %s", method, answer.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(answer.Result, result); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
}

func (b *browser) until(t *testing.T, what string, wanted func(message) bool) message {
	t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case m, open := <-b.answers:
			if !open {
				t.Fatalf("%s: the browser has ended", what)
			}
			if m.Method != "" {
				b.events = append(b.events, m)
			}
			if wanted(m) {
				return m
			}
		case <-timeout:
			t.Fatalf("%s: no answer in %v", what, patience)
		}
	}
}

// screen is what a page is looked at with.
type screen struct {
	width  int
	scheme string // light or dark
	print  bool
}

func (s screen) String() string {
	if s.print {
		return fmt.Sprintf("print %d", s.width)
	}
	return fmt.Sprintf("%d %s", s.width, s.scheme)
}

// open shows a page, and waits until it is there.
func (b *browser) open(t *testing.T, file string, s screen) {
	t.Helper()
	medium := ""
	if s.print {
		medium = "print"
	}
	b.call(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": s.width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.call(t, "Emulation.setEmulatedMedia", map[string]any{"media": medium, "features": []any{map[string]any{"name": "prefers-color-scheme", "value": s.scheme}}}, nil)
	b.events = nil
	b.call(t, "Page.navigate", map[string]any{"url": "file://" + file}, nil)
	loaded := func(m message) bool { return m.Method == "Page.loadEventFired" }
	for _, m := range b.events {
		if loaded(m) {
			return
		}
	}
	b.until(t, "load", loaded)
}

// evaluate runs a function in the page, and reads what it gives.
func (b *browser) evaluate(t *testing.T, expression string, into any) {
	t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	b.call(t, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &answer)
	if answer.ExceptionDetails != nil {
		t.Fatal(answer.ExceptionDetails.Exception.Description)
	}
	if err := json.Unmarshal(answer.Result.Value, into); err != nil {
		t.Fatalf("%v: %s", err, answer.Result.Value)
	}
}

// complaints are errors of the console, and requests other than for the page itself.
func (b *browser) complaints(file string) []string {
	var out []string
	for _, m := range b.events {
		switch m.Method {
		case "Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled":
			out = append(out, m.Method+" "+string(m.Params))
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if json.Unmarshal(m.Params, &p) != nil || !strings.HasSuffix(p.Request.URL, filepath.Base(file)) {
				out = append(out, "asks for "+p.Request.URL)
			}
		}
	}
	return out
}

// findChromium gives the path of a browser.
func findChromium() (string, error) {
	if *chromium != "" {
		_, err := os.Stat(*chromium)
		return *chromium, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			name := filepath.Join(dir, ".chromium", "chromium")
			_, err := os.Stat(name)
			return name, err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no module root above the working directory")
		}
		dir = parent
	}
}
