package delivery

// facts is a set of facts that do not hold.
type facts uint64

// Fact is a fact of docs/semantics.md that can be switched off.
type Fact uint8

// The facts with a switch.
const (
	A12 Fact = iota
	A13
	A14
	A16
	A17
	A19
	A110
	A114
	A21
	A22
	A24
	A25
	A34
	A41
	A43
	A44
	A46
	A47
	A51
	A53
	A54
	A56
	A61
	A611
	A613
	B1
	B8
	B91
	B93
	B102
	B104
	B112
	B114
	C14
	C21
	C22
	D11
	D12
	D14
	D22
	D23
	D24
	D25
	D26
	D28
	D29
	D211
	D31
	D41
	D42
	D45
	D46
	D47
	D56
	E22
	E24
	E34
	E35
)

// factIDs are their ids.
var factIDs = [...]string{
	A12: "A1.2", A13: "A1.3", A14: "A1.4", A16: "A1.6", A17: "A1.7", A19: "A1.9", A110: "A1.10", A114: "A1.14",
	A21: "A2.1", A22: "A2.2", A24: "A2.4", A25: "A2.5", A34: "A3.4", A41: "A4.1", A43: "A4.3", A44: "A4.4",
	A46: "A4.6", A47: "A4.7", A51: "A5.1", A53: "A5.3", A54: "A5.4", A56: "A5.6", A61: "A6.1", A611: "A6.11",
	A613: "A6.13", B1: "B1", B8: "B8", B91: "B9.1", B93: "B9.3", B102: "B10.2", B104: "B10.4", B112: "B11.2", B114: "B11.4", C14: "C1.4",
	C21: "C2.1", C22: "C2.2", D11: "D1.1", D12: "D1.2", D14: "D1.4", D22: "D2.2", D23: "D2.3",
	D24: "D2.4", D25: "D2.5", D26: "D2.6", D28: "D2.8", D29: "D2.9", D211: "D2.11", D31: "D3.1", D41: "D4.1", D42: "D4.2",
	D45: "D4.5", D46: "D4.6", D47: "D4.7", D56: "D5.6", E22: "E2.2", E24: "E2.4", E34: "E3.4", E35: "E3.5",
}

// String is the id of a fact.
func (f Fact) String() string { return factIDs[f] }

// Facts are all facts with a switch.
func Facts() []Fact {
	out := make([]Fact, len(factIDs))
	for i := range out {
		out[i] = Fact(i)
	}
	return out
}

// Without is the case in a world in which some facts do not hold. It is for tests: whatever a step rests on has to make a
// difference somewhere.
func (c *Case) Without(off ...Fact) *Case {
	world := *c
	for _, f := range off {
		world.off |= 1 << f
	}
	return &world
}

func (m *machine) holds(f Fact) bool { return m.c.off>>f&1 == 0 }
