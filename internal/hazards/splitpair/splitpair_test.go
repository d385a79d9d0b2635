package splitpair_test

import (
	"testing"

	"github.com/syncproof/syncproof/internal/hazards/splitpair"
	"github.com/syncproof/syncproof/internal/hazardtest"
)

func TestScenarios(t *testing.T) { hazardtest.Run(t, splitpair.Rule()) }
