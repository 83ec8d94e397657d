package console

// notices are what a page says of what was just done. The address carries the name
// and never the text, so that nobody can make the console say anything else.
var notices = map[string]string{
	"welcome":              "You are all set. This is your organisation.",
	"joined":               "You have joined the organisation.",
	"switched":             "You are looking at another organisation now.",
	"organisation-saved":   "The organisation's settings are saved.",
	"invitation-withdrawn": "The invitation is withdrawn. Its link opens nothing any more.",
	"role-changed":         "The role is changed.",
	"user-removed":         "The user is removed, and the user's keys here are revoked.",
	"key-revoked":          "The key is revoked. Requests with it are refused from now on.",
	"hub-enabled":          "The Hub is enabled.",
	"hub-disabled":         "The Hub is disabled. What was filed in it stays.",
	"name-saved":           "Your name is saved.",
	"password-changed":     "Your password is changed, and all other sessions are signed out.",
	"password-set":         "Your new password is set. Sign in with it.",
	"session-ended":        "That session is signed out.",
	"signed-out":           "You are signed out.",
	"signed-out-all":       "You are signed out everywhere.",
}
