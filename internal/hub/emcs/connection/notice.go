package connection

import (
	"encoding/json"
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
)

var errNoNotice = errors.New("connection: the notification names neither an excise number nor a movement")

// notice reads a notification. It has no message, only whose it is: the excise number of the recipient, and the movement.
func notice(text []byte) (n exchange.Notice, err error) {
	var message struct {
		Movement string `json:"movementId"`
		ERN      string `json:"ern"`
	}
	if err := json.Unmarshal(text, &message); err != nil {
		return n, err
	}
	if exciseNumber.MatchString(message.ERN) {
		n.Identifier = message.ERN
	}
	if message.Movement != "" {
		n.Name = movementName(message.Movement)
	}
	if n == (exchange.Notice{}) {
		return n, errNoNotice
	}
	return n, nil
}
