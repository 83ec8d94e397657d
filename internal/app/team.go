package app

import (
	"github.com/tidewaiter/tidewaiter/internal/console/declarations"
	"github.com/tidewaiter/tidewaiter/internal/console/team"
	"github.com/tidewaiter/tidewaiter/internal/records/comment"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// comments writes what members say about records.
func (a *App) comments() *comment.Service {
	s := &comment.Service{IDs: a.IDs, Hubs: map[string]string{}}
	for _, t := range a.allKinds() {
		s.Hubs[t.Kind] = t.Hub
	}
	return s
}

// assignable are the kinds whose records are given to members.
func (a *App) assignable() map[string]bool {
	kinds := map[string]bool{}
	for _, t := range a.allKinds() {
		kinds[t.Kind] = t.Assignable()
	}
	return kinds
}

// team is the area of the console with the inbox and the forms of assignees and comments.
func (a *App) team() team.Team {
	return team.Team{
		Types: a.allKinds(), Declaration: a.Customs.Type.Kind, AboutDeclarations: declarations.About, Filings: a.Filings, Comments: a.comments(), Describer: a.describer(),
		Mails: a.Accounts.Mails.On,
	}
}

// Mornings writes what is due into inboxes, and mails what is unread.
func (a *App) Mornings() *inbox.Mornings {
	return &inbox.Mornings{Store: adapter.Of(a.Store), Accounts: a.Accounts, IDs: a.IDs}
}
