package discover_test

import "time"

// when every commit of these tests is made.
var when = time.Date(2026, 1, 20, 9, 30, 0, 0, time.UTC)
