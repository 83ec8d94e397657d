package ssrf

import (
	"errors"
	"slices"
	"strings"
)

// Limits of a domain name (RFC 1035).
const (
	maxName  = 253
	maxLabel = 63
)

// checkName requires a full domain name that is neither of the local network nor of a metadata service.
func (g *Guard) checkName(host string) error {
	name := strings.TrimSuffix(host, ".")
	if err := checkSyntax(name); err != nil {
		return err
	}
	if slices.Contains(metadataNames(), name) {
		return &Refused{Address: host, Why: "metadata service of a cloud"}
	}
	if isLocal(name) && !g.opens() {
		return &Refused{Address: host, Why: "a name of the local machine or network"}
	}
	return nil
}

func checkSyntax(name string) error {
	if strings.ContainsFunc(name, func(r rune) bool { return r > 127 }) {
		return errors.New("must write an international host name in its ASCII form (xn--…)")
	}
	if len(name) > maxName {
		return errors.New("must have a host name of at most 253 characters")
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > maxLabel || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return errors.New("must have a host name of letters, digits and hyphens, with 1 to 63 characters between dots")
		}
	}
	return nil
}

// isLocal reports whether a name is never public: it has one label, which a resolver completes, or a suffix for local
// use.
func isLocal(name string) bool {
	if !strings.Contains(name, ".") {
		return true
	}
	return slices.ContainsFunc(localSuffixes(), func(suffix string) bool {
		return name == suffix[1:] || strings.HasSuffix(name, suffix)
	})
}

// localSuffixes are reserved (RFC 6761, 6762, 8375; .internal by ICANN) or commonly used for home and company networks.
func localSuffixes() []string {
	return []string{".localhost", ".local", ".internal", ".home.arpa", ".localdomain", ".lan", ".home", ".corp", ".intranet", ".private"}
}

// metadataNames are names of cloud metadata services. Those below .internal are listed too, because a setting allows
// that suffix.
func metadataNames() []string {
	return []string{
		"metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal",
		"metadata.azure.internal", "metadata.tencentyun.com",
	}
}
