package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/tariff/difference"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

type tariffDiffCommand struct {
	From int64     `arg:"" help:"The former edition; 0 for the built-in table."`
	To   int64     `arg:"" help:"The later edition."`
	Code string    `help:"Only commodity codes that begin with these digits."`
	Type string    `help:"Only measures of this type, such as 103."`
	Date time.Time `format:"2006-01-02" help:"Compare only measures in force on this day."`
	JSON bool      `help:"Answer in JSON."`
}

// Run prints what changes between two stored editions, measure by measure.
func (t tariffDiffCommand) Run(ctx context.Context, c *config.Config) error {
	f := official.Filter{Code: t.Code, Type: t.Type}
	if !t.Date.IsZero() {
		f.Day = t.Date.Format(time.DateOnly)
	}
	return withApp(ctx, c, func(a *app.App) error {
		compared, err := official.Compare(ctx, a.Store, t.From, t.To, f)
		if err != nil {
			return err
		}
		if t.JSON {
			return t.printJSON(ctx, compared)
		}
		summary, err := compared.Summarise(ctx, func(c difference.Change) error {
			m := c.Of()
			fmt.Printf("%s  %-3s  %-4s  %-10s  %-7s  %s\n", m.Code, m.Type, m.Area, sidText(m.SID), c.Kind, changeText(c))
			return nil
		})
		if err == nil {
			fmt.Printf("%d measures added, %d ended, %d changed, of %d commodity codes.\n", summary.Added, summary.Ended, summary.Changed, summary.Codes)
		}
		return err
	})
}

// printJSON prints the changes one by one, since there may be more than memory holds; the summary follows them.
func (t tariffDiffCommand) printJSON(ctx context.Context, c *official.Comparison) error {
	fmt.Printf(`{"from":%d,"to":%d,"changes":[`, t.From, t.To)
	separator := "\n"
	out := json.NewEncoder(os.Stdout)
	summary, err := c.Summarise(ctx, func(c difference.Change) error {
		fmt.Print(separator)
		separator = ","
		return out.Encode(difference.Body(c))
	})
	if err != nil {
		return err
	}
	fmt.Print(`],"summary":`)
	if err := out.Encode(summary); err != nil {
		return err
	}
	fmt.Println("}")
	return nil
}

func sidText(sid int64) string {
	if sid == 0 {
		return "-"
	}
	return fmt.Sprint(sid)
}

// changeText says what a measure was and is.
func changeText(c difference.Change) string {
	switch c.Kind {
	case difference.Added:
		return c.After.Text()
	case difference.Ended:
		return c.Before.Text()
	}
	return c.Before.Text() + " → " + c.After.Text()
}
