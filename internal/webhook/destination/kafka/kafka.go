// Package kafka delivers events to a topic of Kafka. A message counts as delivered when all replicas in sync have it. Its key is
// the id of the record, so that the events of a record are in one partition, in order.
package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// Limits of the client.
const (
	requestTimeout = 10 * time.Second
	metadataAge    = 250 * time.Millisecond // between two questions where the topic is
	retries        = 2                      // within an attempt, when a partition has moved
	inFlight       = 4                      // requests to a broker. A record has one message at a time, so its order holds
	maxBrokers     = 16
	maxTopic       = 249
)

var schemes = map[string]bool{"kafka": false}

// Kind is the kind kafka.
type Kind struct {
	plain    *plainBrokers
	accepted *accepted
}

// New returns the kind.
func New() Kind {
	return Kind{&plainBrokers{since: map[string]time.Time{}}, &accepted{of: map[account]int64{}}}
}

// Problems returns every problem of settings that shows without a connection.
func (Kind) Problems(n destination.Network, s destination.Settings) []apierr.Detail {
	_, err := readAddress(n, s.URL)
	details := append(destination.Problem("url", err), s.Config.Problems("kafka", []string{"topic"}, nil)...)
	if topic := s.Config.Topic; topic != "" && !isTopic(topic) {
		details = append(details, apierr.Detail{Field: "config.topic", Message: "must be letters, digits and . _ - only, and not . or .."})
	}
	return append(details, s.Credentials.Problems(destination.None, destination.Password, destination.Token)...)
}

func readAddress(n destination.Network, text string) (destination.Address, error) {
	address, err := n.ReadAddress(text, schemes, "9092")
	switch {
	case err != nil:
		return address, err
	case address.Path != "" && address.Path != "/":
		return address, errors.New("must end after the hosts; the topic belongs to config")
	case len(address.Hosts) > maxBrokers:
		return address, fmt.Errorf("must not name more than %d hosts", maxBrokers)
	}
	return address, nil
}

func isTopic(name string) bool {
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-') {
			return false
		}
	}
	return len(name) <= maxTopic && name != "." && name != ".."
}

// Open returns a destination.
func (k Kind) Open(n destination.Network, s destination.Settings) (destination.Destination, error) {
	address, err := readAddress(n, s.URL)
	if err != nil {
		return nil, err
	}
	d := &topic{network: n, name: s.Config.Topic, plain: k.plain, accepted: k.accepted, account: account{strings.Join(address.Hosts, ","), s.Credentials.Username}}
	var proofs []sasl.Mechanism
	if d.login = newLogin(s.Credentials); d.login != nil {
		d.login.choice.Store(k.accepted.first(d.account))
		proofs = append(proofs, d.login)
	}
	d.client, err = kgo.NewClient(
		kgo.SeedBrokers(address.Hosts...), kgo.ClientID("tidewaiter"), kgo.Dialer(d.dial), kgo.SASL(proofs...), kgo.DisableClientMetrics(),
		kgo.RequiredAcks(kgo.AllISRAcks()), kgo.DisableIdempotentWrite(), kgo.MaxProduceRequestsInflightPerBroker(inFlight), kgo.ProducerLinger(0),
		kgo.RecordRetries(retries), kgo.UnknownTopicRetries(retries), kgo.RequestRetries(retries), kgo.RetryTimeout(requestTimeout),
		kgo.ProduceRequestTimeout(requestTimeout), kgo.RequestTimeoutOverhead(requestTimeout), kgo.MetadataMinAge(metadataAge),
	)
	return d, err
}

// topic is a destination.
type topic struct {
	network  destination.Network
	name     string
	client   *kgo.Client
	login    *login                // nil without credentials
	ready    atomic.Bool           // the topic was found, and nothing has failed since
	failed   atomic.Pointer[error] // of the newest connection that could not be made; nil after one that could
	plain    *plainBrokers         // of all endpoints
	accepted *accepted             // of all endpoints
	account  account
}

// Send produces a message and waits for the replicas.
func (d *topic) Send(ctx context.Context, messages []destination.Message) (destination.Answer, error) {
	if !d.ready.Load() {
		if err := d.Check(ctx); err != nil {
			return destination.Answer{}, err
		}
		d.ready.Store(true)
	}
	answer, err := d.produce(ctx, messages[0])
	if err != nil {
		d.ready.Store(false)
	}
	return answer, err
}

func (d *topic) produce(ctx context.Context, m destination.Message) (destination.Answer, error) {
	record := &kgo.Record{Topic: d.name, Key: []byte(m.RecordID), Value: []byte(m.Body), Timestamp: m.CreatedAt}
	for name, values := range m.Header {
		for _, value := range values {
			record.Headers = append(record.Headers, kgo.RecordHeader{Key: name, Value: []byte(value)})
		}
	}
	done := make(chan error, 1)
	d.client.Produce(ctx, record, func(_ *kgo.Record, err error) { done <- err })
	select {
	case err := <-done:
		if err != nil {
			return destination.Answer{}, d.explain(ctx, err)
		}
	case <-ctx.Done():
		return destination.Answer{}, d.explain(ctx, ctx.Err())
	}
	return destination.Answer{Text: fmt.Sprintf("partition %d, offset %d", record.Partition, record.Offset)}, nil
}

// Check asks for the topic, with each way to prove who the service is until the broker accepts one.
func (d *topic) Check(ctx context.Context) (err error) {
	for range d.login.ways() {
		if err = d.find(ctx); err == nil || !d.login.next(err) {
			break
		}
	}
	if err == nil && d.login != nil {
		d.accepted.note(d.account, d.login.choice.Load())
	}
	return d.explain(ctx, err)
}

// find asks for the topic.
func (d *topic) find(ctx context.Context) error {
	request := kmsg.NewPtrMetadataRequest()
	asked := kmsg.NewMetadataRequestTopic()
	asked.Topic = kmsg.StringPtr(d.name)
	request.Topics = append(request.Topics, asked)
	answer, err := request.RequestWith(ctx, d.client)
	if err != nil {
		return err
	}
	if len(answer.Topics) != 1 {
		return kerr.UnknownTopicOrPartition
	}
	return kerr.ErrorForCode(answer.Topics[0].ErrorCode)
}

// Close ends the connections.
func (d *topic) Close() { d.client.Close() }

// explain returns the reason of an error of the client in plain words; an error of the network as it is.
func (d *topic) explain(ctx context.Context, err error) error {
	var said *kerr.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kerr.UnknownTopicOrPartition), errors.Is(err, kerr.UnknownTopicID):
		return destination.Refuse("config.topic", "the topic does not exist")
	case errors.Is(err, kerr.TopicAuthorizationFailed):
		return destination.Refuse("config.topic", "the credentials do not permit writing to the topic")
	case d.failed.Load() == nil && d.login.refused():
		return destination.Refuse("credentials", "the broker closed the connection when it was shown the credentials")
	case errors.Is(err, kerr.SaslAuthenticationFailed), errors.Is(err, kerr.IllegalSaslState), errors.Is(err, kerr.ClusterAuthorizationFailed):
		return destination.Refuse("credentials", "the broker refused the credentials")
	case errors.Is(err, kerr.UnsupportedSaslMechanism):
		return destination.Refuse("credentials", "the broker takes credentials of other kinds only")
	case errors.Is(err, kerr.MessageTooLarge), errors.Is(err, kerr.RecordListTooLarge):
		return destination.Refuse("", "the message is larger than the topic accepts")
	case errors.Is(err, kerr.NotEnoughReplicas), errors.Is(err, kerr.NotEnoughReplicasAfterAppend):
		return destination.Refuse("", "too few replicas of the partition are in sync")
	case errors.As(err, &said):
		return destination.Refuse("", "the broker answered "+said.Message+": "+destination.Clip(said.Description))
	case errors.Is(err, kgo.ErrClientClosed):
		return destination.Refuse("", "the endpoint was changed during the attempt")
	}
	if failed := d.failed.Load(); failed != nil {
		return *failed
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, kgo.ErrRecordRetries) { // the only failures whose reason the client does not return are those of connections
		return destination.Refuse("", "the connection was closed without an answer")
	}
	return err
}
