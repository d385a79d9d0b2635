package remedy

import (
	"fmt"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/schedule"
)

// remedy is one thing that could be done.
type remedy struct {
	name  string
	what  func(*situation) string
	level string
	// refused says why it does not apply; "" if it does. Nil: it always does.
	refused  func(*situation) string
	intent   intent                           // nil: what is delivered by whom stays
	as       string                           // the remedy that has the same intent, if there is one before
	schedule schedule.Schedule                // nil: a release is as it was
	forAll   bool                             // the schedule is the other readers', too
	reverse  schedule.Schedule                // the same the other way round, to be told of
	steps    func(*situation) *diag.Migration // what goes into which release; nil: nothing is said
	costs    func(*situation) ([]diag.Cost, price, []string)
}

// remedies are all that are known, those that change least first: the order of ties.
func remedies() []remedy {
	return append(structures(), append(contents(), habits()...)...)
}

// structures change which unit delivers what.
func structures() []remedy {
	return []remedy{
		{
			name: "multi-source", level: diag.LevelIntent, intent: joinSource, costs: joiningCosts,
			refused: cannotAddSource,
			what: func(s *situation) string {
				if s.together() {
					return "one unit, " + s.toName() + ", delivers both already"
				}
				return fmt.Sprintf("%s's Application gets the source of %s as a second one, and %s's ends: nothing moves in Git",
					s.toName(), s.fromName(), s.fromName())
			},
		},
		{
			name: "own-wave", level: diag.LevelIntent, intent: ownWave, costs: ownWaveCosts,
			refused: func(s *situation) string {
				if s.together() || cannotAddSource(s) == "" || len(s.to) == 1 {
					return ""
				}
				return "more than one unit delivers the consumer: that has to end first"
			},
			what: func(s *situation) string {
				text := s.providerName() + " in an earlier wave than " + s.consumerName()
				switch {
				case s.together():
					return text + " of unit " + s.toName()
				case cannotAddSource(s) == "":
					return text + ": as multi-source, and a wave for it"
				}
				return text + ": as co-locate, and a wave for it"
			},
		},
		{
			name: "co-locate", level: diag.LevelIntent, intent: coLocate, costs: coLocateCosts,
			refused: func(s *situation) string {
				if s.together() {
					return "one unit delivers both already"
				}
				return ""
			},
			what: func(s *situation) string {
				if n := len(s.apart()); n > 0 {
					return fmt.Sprintf("%s gets a copy of %s that only %s reads: the shared one stays for %s of other units",
						s.toName(), s.providerName(), s.consumerName(), counted(n, "reader"))
				}
				return fmt.Sprintf("%s moves into the source of %s", s.providerName(), s.toName())
			},
		},
		{
			name: "merge-units", level: diag.LevelIntent, intent: joinSource, as: "multi-source", costs: mergeCosts,
			refused: cannotJoin,
			what: func(s *situation) string {
				if s.together() {
					return "one unit, " + s.toName() + ", delivers both already"
				}
				return fmt.Sprintf("all of %s moves into the source of %s: one unit is left", s.fromName(), s.toName())
			},
		},
	}
}

// cannotAddSource says why a second source is no way.
func cannotAddSource(s *situation) string {
	if why := cannotJoin(s); why != "" {
		return why
	}
	for _, u := range s.Newest.Units {
		if u.ID == s.to[0] && u.Kind != "Application" {
			return s.toName() + " is no Application, which alone can have several sources"
		}
	}
	return ""
}

// contents change what pods read.
func contents() []remedy {
	return []remedy{
		{
			name: "content-named", level: diag.LevelIntent, intent: contentNamed, costs: contentNamedCosts,
			refused: func(s *situation) string {
				switch {
				case !s.reads():
					return "only pods can be made to read a ConfigMap or Secret whose name tells its content"
				case len(s.to) != 1:
					return "more than one unit delivers the consumer: that has to end first"
				}
				return ""
			},
			what: func(s *situation) string {
				return fmt.Sprintf("%s is rendered beside %s under a name that tells its content, immutable, pruned last", s.providerName(), s.consumerName())
			},
		},
		{
			name: "in-image", level: diag.LevelIntent, schedule: schedule.InImage, forAll: true, costs: inImageCosts,
			refused: func(s *situation) string {
				if !s.reads() {
					return "only what pods read can come with their image"
				}
				return ""
			},
			what: func(s *situation) string {
				return "each image brings what it needs, inside or as an image volume by digest: nothing is read from " + s.providerName()
			},
		},
		{
			name: "checksum", level: diag.LevelIntent, intent: checksum, costs: checksumCosts,
			refused: func(s *situation) string {
				switch {
				case object.PodTemplate(s.consumer) == nil:
					return "the consumer has no pods"
				case !s.together():
					return "a template can only hold the checksum of what is rendered with it, and two units render the two"
				}
				return ""
			},
			what: func(s *situation) string {
				return fmt.Sprintf("the pods of %s carry a checksum of %s, and roll when it changes", s.consumerName(), s.providerName())
			},
		},
		{
			name: "reloader", level: diag.LevelSchedule, schedule: schedule.Reloader, costs: reloaderCosts,
			refused: func(s *situation) string {
				if !s.reads() {
					return "a reloader acts on pods that read a ConfigMap or Secret"
				}
				return ""
			},
			what: func(s *situation) string {
				return fmt.Sprintf("a controller makes the pods of %s anew after %s has changed", s.consumerName(), s.providerName())
			},
		},
	}
}

// habits change when things are done, and who starts them.
func habits() []remedy {
	return append([]remedy{
		{
			name: "presync-barrier", level: diag.LevelSchedule, schedule: schedule.Barrier, costs: barrierCosts, refused: nothingToOrder,
			what: func(s *situation) string {
				return fmt.Sprintf("a PreSync hook of %s waits until %s is as the commit has it", s.toName(), s.providerName())
			},
		},
		{
			name: "orchestrator", level: diag.LevelSchedule, schedule: schedule.Steps(true), forAll: true, costs: orchestratorCosts, refused: nothingToOrder,
			what: func(s *situation) string {
				return fmt.Sprintf("something outside syncs %s at a commit, waits for it, and then syncs %s at that commit", s.fromName(), s.toName())
			},
		},
		{
			name: "rolling-sync", level: diag.LevelSchedule, schedule: schedule.Steps(false), forAll: true, costs: rollingSyncCosts, refused: nothingToOrder,
			what: func(s *situation) string {
				return fmt.Sprintf("one ApplicationSet with progressive syncs: %s in its first step, %s in its second", s.fromName(), s.toName())
			},
		},
		{
			name: "app-waves", level: diag.LevelSchedule, schedule: schedule.AppWaves(false), forAll: true, costs: appWavesCosts(false), refused: nothingToOrder,
			what: func(s *situation) string {
				return fmt.Sprintf("a parent delivers both Applications, %s's in an earlier wave, each pinned to its commit", s.fromName())
			},
		},
		{
			name: "app-waves-health", level: diag.LevelSchedule, schedule: schedule.AppWaves(true), forAll: true, costs: appWavesCosts(true), refused: nothingToOrder,
			what: func(*situation) string {
				return "as app-waves, and argocd-cm gives Applications a health, which waves wait for"
			},
		},
	}, changes()...)
}

// changes change how a release is made.
func changes() []remedy {
	return []remedy{
		{
			name: "split-release", level: diag.LevelSchedule, schedule: schedule.Split(schedule.Read, false), forAll: true,
			costs: splitCosts(false),
			what: func(s *situation) string {
				return fmt.Sprintf("two pull requests for each release, %s's first, one soon after the other", s.fromName())
			},
		},
		{
			name: "split-release-wait", level: diag.LevelSchedule, schedule: schedule.Split(schedule.Read, true), reverse: schedule.Split(schedule.Consumer, true), forAll: true,
			costs: splitCosts(true),
			what: func(*situation) string {
				return "as split-release, and the second is merged when the first has arrived everywhere"
			},
		},
		{
			name: "expand-contract", level: diag.LevelSchedule, schedule: schedule.Expanded, forAll: true, steps: (*situation).migration, costs: expandCosts,
			refused: func(s *situation) string {
				if !s.transcoder {
					return "what it takes to only add is known of APIs behind a transcoder, and of nothing else"
				}
				return ""
			},
			what: func(*situation) string {
				return "a change only adds, dictionary first and image when that has arrived; what it replaces goes in a later release, once nobody calls it"
			},
		},
	}
}

// nothingToOrder says why there are no two units to be put in order.
func nothingToOrder(s *situation) string {
	if s.together() {
		return "one unit delivers both: there are no two to put in order"
	}
	return ""
}

func (s *situation) toName() string       { return words(s.names(s.to)) }
func (s *situation) fromName() string     { return words(s.names(s.from)) }
func (s *situation) consumerName() string { return s.Ends.Consumer.String() }
func (s *situation) providerName() string { return s.Ends.Provider.String() }

// words joins names.
func words(names []string) string { return strings.Join(names, ", ") }

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
