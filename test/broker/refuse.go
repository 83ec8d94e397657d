package broker

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Trouble is a way in which a server takes no messages, and what it tells those who send one.
type Trouble struct{ how, Reason string }

const full, missing = "full", "missing"

var troubles = map[string][]Trouble{
	"nats": {{full, "the stream answered: maximum messages exceeded"}, {missing, "no stream stores this subject"}},
	"amqp": {{full, "the broker refused the message: a queue is full, or could not store it"}, {missing, "does not exist on the broker"}},
	"kafka": {
		{"19", "too few replicas of the partition are in sync"}, {"56", "the broker answered KAFKA_STORAGE_ERROR"}, {"close", "the connection was closed without an answer"},
		{missing, "the topic does not exist"},
	},
	"sqs": {
		{"400 ThrottlingException Rate exceeded", "the service answered 400 ThrottlingException: Rate exceeded"},
		{"503 ServiceUnavailable try later", "the service answered 503 ServiceUnavailable: try later"}, {"400 QueueDoesNotExist no such queue", "the queue does not exist"},
	},
	"s3": {
		{"503 SlowDown Please reduce your request rate.", "the service answered 503 SlowDown: Please reduce your request rate."},
		{"507 InsufficientStorage no space is left", "the service answered 507 InsufficientStorage: no space is left"}, {"404 NoSuchBucket no such bucket", "the bucket does not exist"},
	},
}

// Troubles are those of the server's kind. After the last ones its messages are gone.
func (s *Server) Troubles() []Trouble { return troubles[s.Kind] }

// Refuse makes the server take no messages; the zero Trouble makes it take them again.
func (s *Server) Refuse(x Trouble) {
	s.t.Helper()
	switch s.Kind {
	case "nats":
		s.refuseNATS(x.how)
	case "amqp":
		s.refuseAMQP(x.how)
	default:
		if err := os.WriteFile(filepath.Join(s.folder, "refuse"), []byte(x.how), 0o600); err != nil {
			s.t.Fatal(err)
		}
		for s.Kind == "kafka" && s.refusing() != x.how {
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// refusing is how Kafka refuses messages.
func (s *Server) refusing() string {
	text, _ := os.ReadFile(filepath.Join(s.folder, "refusing")) // absent before it refuses for the first time
	return string(text)
}

func (s *Server) refuseNATS(how string) {
	s.t.Helper()
	c := s.nats()
	defer c.Close()
	switch how {
	case full:
		s.stream(c, "UPDATE", fmt.Sprintf(`,"max_msgs":%d,"discard":"new"`, len(s.natsMessages())))
	case missing:
		s.stream(c, "DELETE", "")
	default:
		info, err := c.Request("$JS.API.STREAM.INFO.EVENTS", nil, readTimeout)
		if err != nil {
			s.t.Fatal(err)
		}
		action := "UPDATE"
		if strings.Contains(string(info.Data), `"error"`) {
			action = "CREATE"
		}
		s.stream(c, action, "")
	}
}

func (s *Server) refuseAMQP(how string) {
	s.t.Helper()
	connection, channel := s.amqp()
	defer connection.Close()
	_, gone := channel.QueueDelete("all", false, false, false)
	if err := cmp.Or(gone, channel.ExchangeDelete("events", false, false)); err != nil {
		s.t.Fatal(err)
	}
	switch how {
	case full:
		s.declare(channel, amqp.Table{"x-max-length": 0, "x-overflow": "reject-publish"})
	case "":
		s.declare(channel, nil)
	}
}
