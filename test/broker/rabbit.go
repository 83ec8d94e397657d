package broker

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/test/port"
)

// rabbitServer is RabbitMQ in Debian's package.
const rabbitServer = "/usr/lib/rabbitmq/bin/rabbitmq-server"

// rabbit returns the command of RabbitMQ with all its files in the folder of the server. Its port mapper ends with it.
func (s *Server) rabbit() *exec.Cmd {
	s.t.Helper()
	if _, err := os.Stat(rabbitServer); err != nil {
		s.t.Skip("RabbitMQ is not installed; `make test-long` installs it")
	}
	settings := "listeners.tcp.1 = 127.0.0.1:" + strconv.Itoa(s.Port) + "\nloopback_users = none\ndefault_user = " + User + "\ndefault_pass = " + Password + "\n"
	file := filepath.Join(s.folder, "rabbitmq.conf")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.mapper = strconv.Itoa(port.For(s.t))
	cmd := exec.Command(rabbitServer)
	cmd.Env = append(os.Environ(),
		"HOME="+s.folder, "RABBITMQ_NODENAME=test"+strconv.Itoa(s.Port)+"@localhost", "RABBITMQ_MNESIA_BASE="+s.folder, "RABBITMQ_LOG_BASE="+s.folder,
		"RABBITMQ_CONFIG_FILE="+file, "RABBITMQ_ENABLED_PLUGINS_FILE="+filepath.Join(s.folder, "plugins"), "RABBITMQ_LOGS=-",
		"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=+sbwt none +sbwtdcpu none +sbwtdio none", // its schedulers wait without using a processor
		"RABBITMQ_DIST_PORT="+strconv.Itoa(port.For(s.t)), "ERL_EPMD_PORT="+s.mapper, "ERL_EPMD_ADDRESS=127.0.0.1", "RABBITMQ_NODE_IP_ADDRESS=", "RABBITMQ_NODE_PORT=",
	)
	return cmd
}

// endMapper ends the port mapper of a server that was killed. It refuses while it still knows the server.
func (s *Server) endMapper() {
	for range 50 {
		if s.mapper == "" || exec.Command("epmd", "-port", s.mapper, "-kill").Run() == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.mapper = ""
}
