package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Redis counts for all instances of the service together.
type Redis struct {
	Client *redis.Client
	Now    func() time.Time
}

// count opens a window with its first request and tells how many there were and
// how long it stays open, in milliseconds.
var count = redis.NewScript(`
local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}`)

// Take counts one request.
func (r *Redis) Take(ctx context.Context, b Budget, subject string) (State, error) {
	key := "tidewaiter:limit:" + b.Name + ":" + subject
	reply, err := count.Run(ctx, r.Client, []string{key}, b.Window.Milliseconds()).Int64Slice()
	if err != nil {
		return State{}, fmt.Errorf("limit: redis: %w", err)
	}
	return stateOf(b, int(reply[0]), r.Now().Add(time.Duration(reply[1])*time.Millisecond)), nil
}

// Look tells what is left; the budget of a window that is not open is whole.
func (r *Redis) Look(ctx context.Context, b Budget, subject string) (State, error) {
	key := "tidewaiter:limit:" + b.Name + ":" + subject
	pipe := r.Client.Pipeline()
	used, left := pipe.Get(ctx, key), pipe.PTTL(ctx, key)
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return State{}, fmt.Errorf("limit: redis: %w", err)
	}
	n, err := used.Int()
	if err != nil || left.Val() <= 0 {
		return stateOf(b, 0, r.Now().Add(b.Window)), nil
	}
	return stateOf(b, n, r.Now().Add(left.Val())), nil
}
