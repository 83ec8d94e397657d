package ratelimit

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

const (
	redisPatience = 500 * time.Millisecond // for connecting and for an answer, unless the address says another time
	redisIdle     = 30 * time.Minute       // after which an unused connection is closed
)

// redisServer is a Redis server and how to reach it.
type redisServer struct {
	network, address                       string
	tls                                    *tls.Config // nil for none
	username, password, clientName         string
	database, connections                  int
	dialTimeout, readTimeout, writeTimeout time.Duration
}

// withoutEffect are parameters of go-redis, the client of former releases. They are accepted so that existing addresses
// still work.
var withoutEffect = []string{
	"conn_max_idle_time", "conn_max_lifetime", "conn_max_lifetime_jitter", "idle_timeout", "max_active_conns", "max_concurrent_dials",
	"max_conn_age", "max_idle_conns", "max_retries", "max_retry_backoff", "min_idle_conns", "min_retry_backoff", "pipeline_pool_size",
	"pipeline_read_buffer_size", "pipeline_write_buffer_size", "pool_fifo", "pool_timeout", "protocol",
}

// CheckRedisAddress returns an error if address is none of
//
//	redis://[user:password@]host[:port][/database]
//	rediss://[user:password@]host[:port][/database]   (TLS 1.2 or later)
//	unix://[user:password@]/path/of/socket[?db=database]
//
// Parameters are dial_timeout, read_timeout and write_timeout (half a second each unless
// given or zero; a plain number is seconds), pool_size (10 for each processor), client_name, db
// and, for rediss, skip_verify. The error never shows the address, which may hold a password.
func CheckRedisAddress(address string) error {
	_, err := parseRedis(address)
	return err
}

func parseRedis(address string) (*redisServer, error) {
	u, err := url.Parse(address)
	var wrong *url.Error
	if errors.As(err, &wrong) {
		err = wrong.Err
	}
	if err != nil {
		return nil, err
	}
	s := &redisServer{
		network: "tcp", username: u.User.Username(), connections: 10 * runtime.GOMAXPROCS(0),
		dialTimeout: redisPatience, readTimeout: redisPatience, writeTimeout: redisPatience,
	}
	s.password, _ = u.User.Password()
	switch u.Scheme {
	case "redis", "rediss":
		err = s.overTCP(u)
	case "unix":
		if s.network, s.address = "unix", u.Path; strings.TrimSpace(u.Path) == "" {
			err = errors.New("the path of the socket is missing")
		}
	default:
		err = errors.New("the address must begin with redis://, rediss:// or unix://")
	}
	if err != nil {
		return nil, err
	}
	return s, s.parameters(u.Query())
}

func (s *redisServer) overTCP(u *url.URL) error {
	host, port := u.Hostname(), u.Port()
	if host == "" {
		host = "localhost"
	}
	if port == "" {
		port = "6379"
	}
	s.address = net.JoinHostPort(host, port)
	if u.Scheme == "rediss" {
		s.tls = &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	}
	if database := strings.Trim(u.Path, "/"); database != "" {
		return number(&s.database, "database", database)
	}
	return nil
}

// parameters reads the values after the question mark; an empty one counts as missing.
func (s *redisServer) parameters(given url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := given[name][len(given[name])-1]
		if value == "" || slices.Contains(withoutEffect, name) {
			continue
		}
		if err := s.parameter(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (s *redisServer) parameter(name, value string) (err error) {
	switch name {
	case "db":
		return number(&s.database, name, value)
	case "pool_size":
		return number(&s.connections, name, value)
	case "client_name":
		s.clientName = value
	case "dial_timeout":
		s.dialTimeout, err = wait(name, value)
	case "read_timeout":
		s.readTimeout, err = wait(name, value)
	case "write_timeout":
		s.writeTimeout, err = wait(name, value)
	case "skip_verify":
		skip, wrong := strconv.ParseBool(value)
		if wrong != nil || s.tls == nil {
			return errors.New("skip_verify is true or false, and only for rediss://")
		}
		s.tls.InsecureSkipVerify = skip // #nosec G402 -- an operator asks for it by name
	default:
		return fmt.Errorf("unknown parameter %q", name)
	}
	return err
}

func number(to *int, name, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return fmt.Errorf("%s: want a whole number, not %q", name, value)
	}
	*to = n
	return nil
}

// wait reads a duration such as 300ms, or a number of seconds.
func wait(name, value string) (time.Duration, error) {
	if seconds, err := strconv.Atoi(value); err == nil {
		value = strconv.Itoa(seconds) + "s"
	}
	d, err := time.ParseDuration(value)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: want a time such as 300ms, not %q", name, value)
	case d <= 0:
		return redisPatience, nil
	}
	return d, nil
}

// pool returns the connections to the server. If all are in use, a request waits.
func (s *redisServer) pool() *redis.Pool {
	return &redis.Pool{DialContext: s.dial, MaxIdle: s.connections, MaxActive: s.connections, Wait: true, IdleTimeout: redisIdle}
}

func (s *redisServer) dial(ctx context.Context) (redis.Conn, error) {
	c, err := redis.DialContext(ctx, s.network, s.address, redis.DialConnectTimeout(s.dialTimeout), redis.DialReadTimeout(s.readTimeout),
		redis.DialWriteTimeout(s.writeTimeout), redis.DialUseTLS(s.tls != nil), redis.DialTLSConfig(s.tls), redis.DialTLSHandshakeTimeout(s.dialTimeout))
	if err != nil {
		return nil, err
	}
	for _, command := range s.greeting() {
		if _, err := redis.DoContext(c, ctx, command[0], arguments(command[1:])...); err != nil {
			_ = c.Close()
			return nil, fmt.Errorf("%s: %w", command[0], err)
		}
	}
	return c, nil
}

// greeting returns the first commands on a new connection.
func (s *redisServer) greeting() (commands [][]string) {
	switch {
	case s.username != "":
		commands = append(commands, []string{"AUTH", s.username, s.password})
	case s.password != "":
		commands = append(commands, []string{"AUTH", s.password})
	}
	if s.clientName != "" {
		commands = append(commands, []string{"CLIENT", "SETNAME", s.clientName})
	}
	if s.database != 0 {
		commands = append(commands, []string{"SELECT", strconv.Itoa(s.database)})
	}
	return commands
}

func arguments(words []string) (all []any) {
	for _, word := range words {
		all = append(all, word)
	}
	return all
}
