package extract

import "time"

// SetTimeout sets the limit for reading one file.
func (e *Engine) SetTimeout(d time.Duration) { e.timeout = d }
