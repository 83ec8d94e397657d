package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

type tariffCalculateCommand struct {
	JSON string `required:"" placeholder:"FILE" help:"The request in JSON; - for standard input."`
}

// maxRequest is the limit of a request in bytes, as in the API.
const maxRequest = 2 << 20

// errInvalidRequest is the error if a request is not valid.
var errInvalidRequest = errors.New("the request is not valid")

// Run writes the answer of the API byte for byte. It fails if a line could not be computed.
func (t tariffCalculateCommand) Run(ctx context.Context, c *config.Config) error {
	request, err := readRequest(t.JSON)
	if err != nil {
		return err
	}
	return withApp(ctx, c, func(a *app.App) error {
		answer, details, err := a.CalculateOnce(ctx, request)
		if err != nil {
			return err
		}
		if details != nil {
			var all strings.Builder
			for _, d := range details {
				fmt.Fprintf(&all, "\n  %s %s", d.Field, d.Message)
			}
			return fmt.Errorf("%w:%s", errInvalidRequest, all.String())
		}
		return printAnswer(answer)
	})
}

func readRequest(name string) ([]byte, error) {
	from := os.Stdin
	if name != "-" {
		file, err := os.Open(name) // #nosec G304 -- the operator names it
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	request, err := io.ReadAll(io.LimitReader(from, maxRequest+1))
	if err == nil && len(request) > maxRequest {
		err = fmt.Errorf("%w: it is longer than %d MB", errInvalidRequest, maxRequest>>20)
	}
	return request, err
}

// printAnswer writes an answer as the API does.
func printAnswer(answer duty.Response) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(answer); err != nil {
		return err
	}
	if _, err := os.Stdout.Write(bytes.TrimSuffix(out.Bytes(), []byte("\n"))); err != nil {
		return err
	}
	for _, l := range answer.Lines {
		if l.Outcome != duty.Calculated && l.Outcome != duty.NoDuty {
			return fmt.Errorf("line %s: %s", l.Ref, l.Outcome)
		}
	}
	return nil
}
