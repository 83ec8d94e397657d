package broker

import (
	"errors"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// sampleSize is about the length in bytes of the body of an event with a small record.
const sampleSize = 700

// PublishAlone sends messages to RabbitMQ at the exchange of an endpoint without the service. At most so many are unconfirmed at a time: the next
// one follows as soon as one is confirmed. It returns the messages per second.
func (s *Server) PublishAlone(in webhook.Input, count, unconfirmed int) (float64, error) {
	s.t.Helper()
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
