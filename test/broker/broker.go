// Package broker starts brokers, a queue and storage for tests of destinations: RabbitMQ if it is installed, and the program in
// test/brokers, a module of its own, for all others.
package broker

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
	"github.com/tidewaiter/tidewaiter/test/port"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// The user of every broker; id and secret of the access key of the queue and the storage.
const (
	User     = "tidewaiter"
	Password = "secret-of-the-test"
)

// Kinds are the kinds of destinations, each with a server.
var Kinds = []string{"nats", "amqp", "kafka", "sqs", "s3"}

// Message is one event as a receiver has it. Events in storage have no headers of their own.
type Message struct {
	Header map[string]string
	Body   string
}

// Server is a broker that may be stopped and started again, with the messages that it has.
type Server struct {
	Kind string
	Port int

	t       testing.TB
	named   int // port that Kafka names to its clients; 0 for its own
	folder  string
	process *exec.Cmd
	mapper  string // port of RabbitMQ's port mapper; empty for none
}

// Start starts a server. The test is skipped if it is not installed, or its modules cannot be downloaded.
func Start(t testing.TB, kind string) *Server {
	t.Helper()
	return StartBehind(t, kind, 0)
}

// StartBehind is Start for a server whose clients connect to another port. Kafka tells them so.
func StartBehind(t testing.TB, kind string, front int) *Server {
	t.Helper()
	s := &Server{Kind: kind, Port: port.For(t), t: t, named: front, folder: t.TempDir()}
	t.Cleanup(s.Kill)
	s.Restart()
	s.prepare()
	return s
}

// Restart starts a server that was killed.
func (s *Server) Restart() {
	s.t.Helper()
	if s.Kind == "amqp" {
		s.process = s.rabbit()
	} else {
		s.process = exec.Command(binary(s.t), s.Kind, "-port", strconv.Itoa(s.Port), "-dir", s.folder, "-user", User, "-password", Password,
			"-advertise", strconv.Itoa(s.named))
	}
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	if err := port.WaitUntilListening(s.Port); err != nil {
		text, _ := os.ReadFile(log.Name())
		s.t.Fatalf("%s does not start: %v\n%s", s.Kind, err, text)
	}
}

// Kill ends the server at once.
func (s *Server) Kill() {
	if s.process == nil || s.process.Process == nil {
		return
	}
	_ = syscall.Kill(-s.process.Process.Pid, syscall.SIGKILL)
	_ = s.process.Wait()
	s.process = nil
	s.endMapper()
}

// Input returns an endpoint that sends everything to the server.
func (s *Server) Input() webhook.Input { return s.InputAt(s.Port) }

// InputAt returns an endpoint that sends everything to the server through another port.
func (s *Server) InputAt(at int) webhook.Input {
	host := "127.0.0.1:" + strconv.Itoa(at)
	in := webhook.Input{Kind: s.Kind, Config: &destination.Config{}}
	in.Broker = &destination.Credentials{Username: User, Password: Password}
	switch s.Kind {
	case "nats":
		in.URL, in.Config.Stream, in.Config.Subject = "nats://"+host, "EVENTS", "events.all"
	case "amqp":
		in.URL, in.Config.Exchange, in.Config.RoutingKey = "amqp://"+host, "events", "all"
	case "kafka":
		in.URL, in.Config.Topic = "kafka://"+host, "events"
	case "sqs":
		in.URL, in.Config.Region = "http://"+host+"/123456789012/events", "eu-west-2"
	case "s3":
		in.URL, in.Config.Region, in.Config.Endpoint, in.Config.Every = "s3://events/from/tidewaiter", "eu-west-2", "http://"+host, 1
	}
	if s.Kind == "sqs" || s.Kind == "s3" {
		in.Broker = &destination.Credentials{AccessKeyID: User, SecretAccessKey: Password}
	}
	return in
}

var built = sync.OnceValues(func() (string, error) {
	folder, err := program.Folder()
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, fmt.Sprint("brokers-", os.Getpid()))
	out, err := goCommand("build", "-C", module(), "-o", file, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return file, nil
})

// binary builds the program in test/brokers.
func binary(t testing.TB) string {
	t.Helper()
	list := goCommand("list", "-C", module(), "-deps", ".")
	var problems strings.Builder
	list.Stderr = &problems
	if err := list.Run(); err != nil {
		t.Skipf("no brokers: their modules cannot be downloaded: %v: %s", err, &problems)
	}
	file, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// goCommand is a go command with the settings with which scripts/deps builds the program, so that its build cache is used.
func goCommand(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false -trimpath", "CGO_ENABLED=0", "GOWORK=off")
	return cmd
}

// module is the folder of test/brokers, which is beside or above that of the test.
func module() string {
	folder, err := os.Getwd()
	for ; err == nil && filepath.Dir(folder) != folder; folder = filepath.Dir(folder) {
		if found := filepath.Join(folder, "test", "brokers"); exists(found) {
			return found
		}
	}
	return "test/brokers"
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// WaitFor waits until a condition holds.
func WaitFor(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("%s: not true after two minutes", what)
}
