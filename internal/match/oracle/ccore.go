package oracle

import (
	"bufio"
	"bytes"
	_ "embed" // the program of the servers
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
)

//go:embed ccore.py
var ccoreProgram []byte

// ccore is a process of Python with one server of the C core, which takes the part of any.
type ccore struct {
	process *os.Process
	done    chan struct{} // closed when the process has ended
	in      io.WriteCloser
	lines   chan []byte // that it prints
	output  bytes.Buffer
	version string
	address string // of the server
	calls   int    // so far
}

// startCore runs the process until the test ends. Without Python, grpcio or protobuf it skips the test, or fails it.
func (o *Oracle) startCore(t testing.TB, required bool) {
	t.Helper()
	c, err := newCore(o.dir)
	switch {
	case err != nil && required:
		t.Fatalf("no C core of gRPC, which this run requires (.ci/grpcio installs it): %v", err)
	case err != nil:
		t.Skipf("skipped: no C core of gRPC (.ci/grpcio installs it): %v", err)
	}
	t.Logf("grpcio %s", c.version)
	o.ccore = c
}

func newCore(dir string) (*ccore, error) {
	python, err := exec.LookPath("python3")
	if err != nil {
		return nil, err
	}
	packages, err := belowModule(".grpcio")
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "ccore.py")
	if err := os.WriteFile(program, ccoreProgram, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(python, program, packages)
	c := &ccore{done: make(chan struct{}), lines: make(chan []byte)}
	cmd.Stderr = &c.output
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	tether(cmd)
	started := make(chan error)
	go c.run(cmd, out, started)
	if err := <-started; err != nil {
		return nil, err
	}
	var hello struct{ Version, Address string }
	if err := c.read(&hello); err != nil {
		c.end()
		return nil, fmt.Errorf("%w\n%s", err, bytes.TrimSpace(c.output.Bytes()))
	}
	c.version, c.address = hello.Version, hello.Address
	return c, nil
}

// run has a thread of its own: a tethered process dies with the thread that started it.
func (c *ccore) run(cmd *exec.Cmd, out io.Reader, started chan<- error) {
	runtime.LockOSThread()
	err := cmd.Start()
	c.process = cmd.Process
	started <- err
	if err != nil {
		return
	}
	for r := bufio.NewReader(out); ; {
		line, err := r.ReadBytes('\n')
		if err != nil {
			break
		}
		c.lines <- line
	}
	_ = cmd.Wait() // how it ended is of no interest, only that
	close(c.done)
}

func (c *ccore) end() {
	_ = c.process.Kill() // it may have ended
	for {
		select {
		case <-c.lines:
		case <-c.done:
			return
		}
	}
}

func (c *ccore) read(into any) error {
	select {
	case line := <-c.lines:
		return json.Unmarshal(line, into)
	case <-c.done:
		return errors.New("python has ended")
	case <-time.After(patience):
		return fmt.Errorf("python has said nothing for %v", patience)
	}
}

// command is one of [ccoreProgram].
type command struct {
	Do       string   `json:"do"`
	Raw      []byte   `json:"raw,omitempty"` // of a set
	Set      int      `json:"set"`
	Call     string   `json:"call"`
	Messages [][]byte `json:"messages"`
	Code     int      `json:"code"`
	Message  string   `json:"message"`
	Details  []byte   `json:"details"` // a whole google.rpc.Status
	Gzip     bool     `json:"gzip"`
}

type response struct {
	Error    string   `json:"error"`
	Set      int      `json:"set"`
	Ran      bool     `json:"ran"`
	Received [][]byte `json:"received"`
	Fault    string   `json:"fault"`
}

func (c *ccore) do(q command) (response, error) {
	line, err := json.Marshal(q)
	if err != nil {
		return response{}, err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return response{}, fmt.Errorf("python: %w", err)
	}
	var r response
	if err := c.read(&r); err != nil {
		return response{}, err
	}
	if r.Error != "" {
		return response{}, fmt.Errorf("server of the C core: %s: %s", q.Do, r.Error)
	}
	return r, nil
}

// ccoreServer is the server of the process as it is for one set.
type ccoreServer struct {
	core *ccore
	set  int
}

func (c *ccore) serverFor(set []byte) (backend, error) {
	r, err := c.do(command{Do: "load", Raw: set})
	if err != nil {
		return nil, err
	}
	return &ccoreServer{core: c, set: r.Set}, nil
}

func (s *ccoreServer) where() string { return s.core.address }

func (s *ccoreServer) program(a Answer) (string, error) {
	s.core.calls++
	q := command{Do: "program", Set: s.set, Call: strconv.Itoa(s.core.calls), Messages: a.Messages, Code: a.Code, Message: a.Message, Gzip: a.Gzip}
	if q.Messages == nil {
		q.Messages = [][]byte{} // null is no list
	}
	status, err := a.proto()
	if err != nil {
		return "", err
	}
	if len(status.Details) > 0 {
		if q.Details, err = proto.Marshal(status); err != nil {
			return "", err
		}
	}
	_, err = s.core.do(q)
	return q.Call, err
}

func (s *ccoreServer) result() (ran bool, received [][]byte, fault error) {
	r, err := s.core.do(command{Do: "result"})
	if err == nil && r.Fault != "" {
		err = errors.New(r.Fault)
	}
	return r.Ran, r.Received, err
}

func (s *ccoreServer) stop() {} // the process ends with the oracle
