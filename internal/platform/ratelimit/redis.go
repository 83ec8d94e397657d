package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/gomodule/redigo/redis"
)

// Redis counts requests of all instances together.
type Redis struct {
	pool     *redis.Pool
	patience time.Duration // for one exchange, with a new connection if it needs one
	now      func() time.Time
}

// OpenRedis returns a limiter that counts in the Redis server at address; see
// [CheckRedisAddress] for what an address can say. It connects at the first use.
func OpenRedis(address string, now func() time.Time) (*Redis, error) {
	s, err := parseRedis(address)
	if err != nil {
		return nil, err
	}
	return &Redis{pool: s.pool(), patience: s.dialTimeout + max(s.readTimeout, s.writeTimeout), now: now}, nil
}

// Both scripts return how many requests a window has had and for how many milliseconds it
// stays open. count opens the window with its first request.
var (
	count = redis.NewScript(1, `
local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}`)
	look = redis.NewScript(1, `
return {tonumber(redis.call('GET', KEYS[1]) or 0) or 0, redis.call('PTTL', KEYS[1])}`)
)

// Take counts one request.
func (r *Redis) Take(ctx context.Context, b Budget, subject string) (State, error) {
	used, left, err := r.window(ctx, count, b, subject, b.Window.Milliseconds())
	if err != nil {
		return State{}, err
	}
	return stateOf(b, used, r.now().Add(left)), nil
}

// Look returns what is left, and counts nothing. A window that is not open has its whole budget.
func (r *Redis) Look(ctx context.Context, b Budget, subject string) (State, error) {
	used, left, err := r.window(ctx, look, b, subject)
	if err != nil {
		return State{}, err
	}
	if left <= 0 {
		return stateOf(b, 0, r.now().Add(b.Window)), nil
	}
	return stateOf(b, used, r.now().Add(left)), nil
}

// Ping returns an error if the server does not answer.
func (r *Redis) Ping(ctx context.Context) error {
	return r.exchange(ctx, func(ctx context.Context, c redis.Conn) error {
		_, err := redis.DoContext(c, ctx, "PING")
		return err
	})
}

// Close closes the connections; the limiter cannot be used afterwards.
func (r *Redis) Close() error { return r.pool.Close() }

// window runs a script on the window of a subject.
func (r *Redis) window(ctx context.Context, script *redis.Script, b Budget, subject string, args ...any) (used int, left time.Duration, err error) {
	args = append([]any{"tidewaiter:limit:" + b.Name + ":" + subject}, args...)
	err = r.exchange(ctx, func(ctx context.Context, c redis.Conn) error {
		reply, err := redis.Int64s(script.DoContext(ctx, c, args...))
		if err == nil && len(reply) != 2 {
			err = fmt.Errorf("%d numbers instead of 2", len(reply))
		}
		if err == nil {
			used, left = int(reply[0]), time.Duration(reply[1])*time.Millisecond
		}
		return err
	})
	return used, left, err
}

// exchange runs a command on a pooled connection. A restarted server has closed all idle connections; each attempt
// drops one of them, and the last attempt opens a new one.
func (r *Redis) exchange(ctx context.Context, do func(context.Context, redis.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	err := r.lend(ctx, do)
	for attempt := 0; attempt < r.pool.MaxIdle && closedByServer(err); attempt++ {
		err = r.lend(ctx, do)
	}
	if err != nil {
		return fmt.Errorf("ratelimit: redis: %w", err)
	}
	return nil
}

func (r *Redis) lend(ctx context.Context, do func(context.Context, redis.Conn) error) error {
	c, err := r.pool.GetContext(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return do(ctx, c)
}

// closedByServer reports whether an error is of a connection that was open before, and not
// one of connecting or of waiting.
func closedByServer(err error) bool {
	var network *net.OpError
	return errors.Is(err, io.EOF) || errors.As(err, &network) && network.Op != "dial" && !network.Timeout()
}
