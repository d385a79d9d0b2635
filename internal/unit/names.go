package unit

import "slices"

// ShortNames gives every ID the shortest of "name", "namespace/name" and "root:namespace/name" that no other ID has.
func ShortNames(ids []ID) map[ID]string {
	forms := []func(ID) string{
		func(id ID) string { return id.Name },
		func(id ID) string {
			if id.Namespace == "" {
				return id.Name
			}
			return id.Namespace + "/" + id.Name
		},
		func(id ID) string { return id.Root + ":" + id.Name },
		func(id ID) string { return id.Root + ":" + id.Namespace + "/" + id.Name },
	}
	names := make(map[ID]string, len(ids))
	for _, form := range forms {
		count := map[string]int{}
		for _, id := range ids {
			count[form(id)]++
		}
		for _, id := range ids {
			if _, done := names[id]; !done && count[form(id)] == 1 {
				names[id] = form(id)
			}
		}
	}
	return names
}

// Overlap tells whether two lists of units have one in common.
func Overlap(a, b []ID) bool {
	return slices.ContainsFunc(a, func(u ID) bool { return slices.Contains(b, u) })
}
