package broker

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// sampleSize is about the length in bytes of the body of an event with a small record.
const sampleSize = 700

// PublishAlone sends messages to RabbitMQ or Kafka at the address of an endpoint without the service. At most so many are unconfirmed at
// a time: the next one follows as soon as one is confirmed. It returns the messages per second.
func (s *Server) PublishAlone(in webhook.Input, count, unconfirmed int) (float64, error) {
	s.t.Helper()
	if s.Kind == "kafka" {
		return s.produceAlone(in, count, unconfirmed)
	}
	connection, channel := s.amqp()
	defer connection.Close()
	if err := channel.Confirm(false); err != nil {
		return 0, err
	}
	message := amqp.Publishing{ContentType: "application/json", DeliveryMode: amqp.Persistent, Body: []byte(strings.Repeat("x", sampleSize))}
	sent := make(chan *amqp.DeferredConfirmation, unconfirmed-1) // and one that is waited for
	published := make(chan error, 1)
	began := time.Now()
	go func() {
		defer close(sent)
		for range count {
			c, err := channel.PublishWithDeferredConfirm(in.Config.Exchange, in.Config.RoutingKey, true, false, message)
			if err != nil {
				published <- err
				return
			}
			sent <- c
		}
		published <- nil
	}()
	for c := range sent {
		if !c.Wait() {
			return 0, errors.New("the broker refused a message")
		}
	}
	return float64(count) / time.Since(began).Seconds(), <-published
}

// produceAlone is PublishAlone for Kafka. Messages are of many records.
func (s *Server) produceAlone(in webhook.Input, count, unconfirmed int) (float64, error) {
	c, err := kgo.NewClient(kgo.SeedBrokers(fmt.Sprintf("127.0.0.1:%d", s.Port)), kgo.Dialer(s.dial), kgo.SASL(scram.Auth{User: User, Pass: Password}.AsSha256Mechanism()),
		kgo.DisableIdempotentWrite(), kgo.ProducerLinger(0))
	if err != nil {
		return 0, err
	}
	defer c.Close()
	body := []byte(strings.Repeat("x", sampleSize))
	free := make(chan struct{}, unconfirmed)
	failed := make(chan error, count)
	began := time.Now()
	for n := range count {
		free <- struct{}{}
		c.Produce(context.Background(), &kgo.Record{Topic: in.Config.Topic, Key: []byte(strconv.Itoa(n)), Value: body}, func(_ *kgo.Record, err error) {
			if <-free; err != nil {
				failed <- err
			}
		})
	}
	if err := c.Flush(context.Background()); err != nil {
		return 0, err
	}
	took := time.Since(began)
	select {
	case err := <-failed:
		return 0, err
	default:
		return float64(count) / took.Seconds(), nil
	}
}
