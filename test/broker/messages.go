package broker

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/nats-io/nats.go"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

const readTimeout = 2 * time.Minute // far more than a read needs on a busy machine

// prepare makes the stream, and the exchange with its queue.
func (s *Server) prepare() {
	s.t.Helper()
	switch s.Kind {
	case "nats":
		c := s.nats()
		defer c.Close()
		s.stream(c, "CREATE", "")
	case "amqp":
		connection, channel := s.amqp()
		defer connection.Close()
		s.declare(channel, nil)
	}
}

// stream creates, changes or deletes the stream. More are members of its settings.
func (s *Server) stream(c *nats.Conn, action, more string) {
	s.t.Helper()
	settings := `{"name":"EVENTS","subjects":["events.*"],"storage":"file","duplicate_window":120000000000` + more + `}`
	if action == "DELETE" {
		settings = ""
	}
	answer, err := c.Request("$JS.API.STREAM."+action+".EVENTS", []byte(settings), readTimeout)
	if err != nil || strings.Contains(string(answer.Data), `"error"`) {
		s.t.Fatalf("%s: %v %s", action, err, answer.Data)
	}
}

// declare makes the exchange, and the queue with its limits. The queue stores messages as RabbitMQ does by default since version 4.
func (s *Server) declare(channel *amqp.Channel, limits amqp.Table) {
	s.t.Helper()
	arguments := amqp.Table{"x-queue-version": 2}
	maps.Copy(arguments, limits)
	err := channel.ExchangeDeclare("events", amqp.ExchangeTopic, true, false, false, false, nil)
	if err == nil {
		_, err = channel.QueueDeclare("all", true, false, false, false, arguments)
	}
	if err == nil {
		err = channel.QueueBind("all", "all", "events", false, nil)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// TransientInput returns an endpoint of RabbitMQ whose messages go to a queue that is kept in memory only.
func (s *Server) TransientInput() webhook.Input {
	s.t.Helper()
	connection, channel := s.amqp()
	defer connection.Close()
	if _, err := channel.QueueDeclare("transient", false, false, false, false, nil); err != nil {
		s.t.Fatal(err)
	}
	in := s.Input()
	in.Config.Exchange, in.Config.RoutingKey = "", "transient"
	return in
}

// Messages returns everything that the server has, in its order.
func (s *Server) Messages() []Message {
	s.t.Helper()
	switch s.Kind {
	case "nats":
		return s.natsMessages()
	case "amqp":
		return s.amqpMessages()
	case "kafka":
		return s.kafkaMessages()
	case "sqs":
		return s.sqsMessages()
	}
	return s.s3Messages()
}

func (s *Server) nats() *nats.Conn {
	s.t.Helper()
	c, err := nats.Connect(fmt.Sprintf("nats://127.0.0.1:%d", s.Port), nats.UserInfo(User, Password), nats.Timeout(readTimeout))
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func (s *Server) natsMessages() (all []Message) {
	c := s.nats()
	defer c.Close()
	for sequence := 1; ; sequence++ {
		answer, err := c.Request("$JS.API.STREAM.MSG.GET.EVENTS", fmt.Appendf(nil, `{"seq":%d}`, sequence), readTimeout)
		if err != nil {
			s.t.Fatal(err)
		}
		var got struct {
			Message *struct {
				Hdrs []byte
				Data []byte
			}
		}
		if err := json.Unmarshal(answer.Data, &got); err != nil || got.Message == nil {
			return all
		}
		m := Message{Header: map[string]string{}, Body: string(got.Message.Data)}
		for line := range strings.SplitSeq(string(got.Message.Hdrs), "\r\n") {
			if name, value, found := strings.Cut(line, ": "); found {
				m.Header[name] = value
			}
		}
		all = append(all, m)
	}
}

func (s *Server) amqp() (*amqp.Connection, *amqp.Channel) {
	s.t.Helper()
	var connection *amqp.Connection
	var err error
	WaitFor(s.t, "RabbitMQ answers", func() bool {
		connection, err = amqp.DialConfig(fmt.Sprintf("amqp://%s:%s@127.0.0.1:%d", User, Password, s.Port), amqp.Config{})
		return err == nil
	})
	channel, err := connection.Channel()
	if err != nil {
		s.t.Fatal(err)
	}
	return connection, channel
}

// amqpMessages reads the queue. The broker gets the messages back, in their order, when the connection ends.
func (s *Server) amqpMessages() (all []Message) {
	connection, channel := s.amqp()
	defer connection.Close()
	for {
		got, found, err := channel.Get("all", false)
		if err != nil {
			s.t.Fatal(err)
		}
		if !found {
			return all
		}
		m := Message{Header: map[string]string{}, Body: string(got.Body)}
		for name, value := range got.Headers {
			m.Header[name] = fmt.Sprint(value)
		}
		all = append(all, m)
	}
}

// dial connects to the server, whatever port it names.
func (s *Server) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, fmt.Sprintf("127.0.0.1:%d", s.Port))
}

func (s *Server) kafkaMessages() (all []Message) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	c, err := kgo.NewClient(kgo.SeedBrokers(fmt.Sprintf("127.0.0.1:%d", s.Port)), kgo.ConsumeTopics("events"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.SASL(scram.Auth{User: User, Pass: Password}.AsSha256Mechanism()), kgo.FetchMaxWait(100*time.Millisecond), kgo.Dialer(s.dial))
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	for stored := s.stored(ctx, c); len(all) < stored; {
		fetched := c.PollFetches(ctx)
		if err := ctx.Err(); err != nil {
			s.t.Fatalf("%d of %d messages of Kafka were read: %v", len(all), stored, err)
		}
		fetched.EachRecord(func(r *kgo.Record) {
			m := Message{Header: map[string]string{"key": string(r.Key)}, Body: string(r.Value)}
			for _, h := range r.Headers {
				m.Header[h.Key] = string(h.Value)
			}
			all = append(all, m)
		})
	}
	return all
}

// stored is the number of messages that Kafka has.
func (s *Server) stored(ctx context.Context, c *kgo.Client) (count int) {
	s.t.Helper()
	const partitions, latest = 3, -1
	topic := kmsg.NewListOffsetsRequestTopic()
	topic.Topic = "events"
	for n := range int32(partitions) {
		p := kmsg.NewListOffsetsRequestTopicPartition()
		p.Partition, p.Timestamp = n, latest
		topic.Partitions = append(topic.Partitions, p)
	}
	request := kmsg.NewPtrListOffsetsRequest()
	request.Topics = append(request.Topics, topic)
	answer, err := request.RequestWith(ctx, c)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, topic := range answer.Topics {
		for _, p := range topic.Partitions {
			if err := kerr.ErrorForCode(p.ErrorCode); err != nil {
				s.t.Fatal(err)
			}
			count += int(p.Offset)
		}
	}
	return count
}

func (s *Server) get(path string) []byte {
	s.t.Helper()
	answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/%s", s.Port, path))
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %d %v", path, answer.StatusCode, err)
	}
	return body
}

func (s *Server) sqsMessages() (all []Message) {
	var sent []struct {
		MessageBody       string
		MessageGroupId    string
		MessageAttributes map[string]struct{ StringValue string }
	}
	if err := json.Unmarshal(s.get(""), &sent); err != nil {
		s.t.Fatal(err)
	}
	for _, one := range sent {
		m := Message{Header: map[string]string{"group": one.MessageGroupId}, Body: one.MessageBody}
		for name, a := range one.MessageAttributes {
			m.Header[name] = a.StringValue
		}
		all = append(all, m)
	}
	return all
}

// Objects are the keys of all objects with events, in their order.
func (s *Server) Objects() (keys []string) {
	var list struct {
		Contents []struct {
			Key  string
			Size int
		}
	}
	if err := xml.Unmarshal(s.get("events"), &list); err != nil {
		s.t.Fatal(err)
	}
	for _, one := range list.Contents {
		if one.Size > 0 {
			keys = append(keys, one.Key)
		}
	}
	return keys
}

func (s *Server) s3Messages() (all []Message) {
	for _, key := range s.Objects() {
		for line := range strings.Lines(string(s.get("events/" + key))) {
			all = append(all, Message{Body: strings.TrimSuffix(line, "\n")})
		}
	}
	return all
}
