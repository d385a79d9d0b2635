package worker

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const deathMoment = 5 * time.Second

// attempts are what an engine might do, by mistake or by an input that exploits it.
var attempts = map[string]func(argument string) error{
	"nothing": func(string) error { return nil },
	"panic":   func(string) error { panic("the password is hunter2") },
	"read": func(name string) error {
		_, err := os.ReadFile(name)
		return err
	},
	"list": func(name string) error {
		_, err := os.ReadDir(name)
		return err
	},
	"write": func(name string) error { return os.WriteFile(name, []byte("I was here"), 0o600) },
	"dial": func(address string) error { // "tcp 127.0.0.1:80"
		network, address, _ := strings.Cut(address, " ")
		conn, err := net.DialTimeout(network, address, 5*time.Second)
		if err != nil {
			return err
		}
		defer conn.Close()
		_, err = conn.Write([]byte("hello"))
		return err
	},
	"spawn": func(program string) error {
		files := []*os.File{os.Stdin, os.Stderr, os.Stderr} // so that nothing but the program has to be opened
		p, err := os.StartProcess(program, []string{program}, &os.ProcAttr{Files: files})
		if err != nil {
			return err
		}
		_, err = p.Wait()
		return err
	},
	"signal": func(pid string) error {
		n, _ := strconv.Atoi(pid)
		return syscall.Kill(n, 0)
	},
	"environment": func(string) error {
		if env := os.Environ(); len(env) > 0 {
			return errors.New(strings.Join(env, " "))
		}
		return nil
	},
	"allocate": func(mib string) error {
		n, _ := strconv.Atoi(mib)
		var kept [][]byte
		for range n {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			kept = append(kept, b)
		}
		if len(kept) != n {
			return fmt.Errorf("%d", len(kept))
		}
		return nil
	},
	"recurse": func(levels string) error {
		n, _ := strconv.Atoi(levels)
		if recurse(n) == 0 {
			return errors.New("no frames")
		}
		return nil
	},
	"descriptor": func(fd string) error {
		n, _ := strconv.Atoi(fd)
		var b [1]byte
		_, err := syscall.Pread(n, b[:], 0)
		return err
	},
	"shout": func(string) error {
		for range 64 << 10 {
			if _, err := os.Stderr.Write(make([]byte, 1<<10)); err != nil {
				return err
			}
		}
		return nil
	},
	"collect": func(string) error { // makes the memory of an attempt before visible to its successor
		debug.FreeOSMemory()
		return nil
	},
	"pid":  func(string) error { return fmt.Errorf("%d", os.Getpid()) },
	"stop": func(string) error { return syscall.Kill(os.Getpid(), syscall.SIGSTOP) },
}

// recurse takes about a kilobyte of stack a level.
func recurse(levels int) int {
	var frame [128]int
	frame[levels%128] = 1
	if levels == 0 {
		return 1
	}
	return recurse(levels-1) + frame[(levels+1)%128]
}
