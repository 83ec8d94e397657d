package main

import "github.com/alecthomas/kong"

// settingsGroup is the heading of the service's settings in the help of a command, below the flags of the command itself.
const settingsGroup = "Settings of the service:"

// caller is a command that only calls a service. Its help does not list the settings of the service.
type caller interface{ callsService() }

// help prints the help of a command.
func help(options kong.HelpOptions, command *kong.Context) error {
	if selected := command.Selected(); selected != nil && selected.Target.CanAddr() {
		if _, calls := selected.Target.Addr().Interface().(caller); calls {
			hideSettings(command.Model.Flags)
		}
	}
	return kong.DefaultHelpPrinter(options, command)
}

func hideSettings(flags []*kong.Flag) {
	for _, f := range flags {
		if f.Group != nil && f.Group.Key == settingsGroup {
			f.Hidden = true
		}
	}
}
