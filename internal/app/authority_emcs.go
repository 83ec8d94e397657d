package app

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/movementapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/emcssim"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs/connection"
)

// emcsConnector connects excise movements.
func (a *App) emcsConnector() connector {
	authority := connection.Authority(a.Filings.Types[emcs.Movements.Kind])
	return connector{
		authority: authority,
		simulator: func(o simulator.Options) (simulatorServer, error) {
			return emcssim.NewServer(o)
		},
		channel: func(m exchange.Mode, s client.Settings, l client.Limiter) (*exchange.Channel, error) {
			c, err := movementapi.New(movementapi.Settings{BaseURL: s.BaseURL, Deadline: s.Deadline, Cooldown: s.Cooldown, Middleware: s.Middleware}, l, a.deps.trueTime)
			if err != nil {
				return nil, err
			}
			return connection.Channel(authority, m, c), nil
		},
	}
}
