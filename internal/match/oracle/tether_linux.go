package oracle

import (
	"os/exec"
	"syscall"
)

// tether makes the process end with the test, however that ends.
func tether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
