package demo

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// tree is the content of a branch by slash path.
type tree map[string][]byte

// apply makes one edit. The section's name says which, and its text what:
//
//	PATH                  the text is the whole file
//	edit PATH             the text changes lines of the file, see editLines
//	delete PATH           a file, or a directory with all that is in it
//	move FROM TO          one file
//	copy FROM TO          one file
//	descriptor TAG PATH   the descriptor that belongs to the image with that tag
func (t tree) apply(section txtar.File, images map[string]release) error {
	verb, rest, _ := strings.Cut(section.Name, " ")
	args := strings.Fields(rest)
	if len(args) == 0 {
		t[verb] = section.Data
		return nil
	}
	switch {
	case verb == "edit" && len(args) == 1:
		edited, err := editLines(string(t[args[0]]), string(section.Data))
		if err != nil {
			return err
		}
		t[args[0]] = []byte(edited)
		return nil
	case verb == "delete" && len(args) == 1:
		return t.remove(args[0])
	case (verb == "move" || verb == "copy") && len(args) == 2:
		content, ok := t[args[0]]
		if !ok {
			return errors.New("no such file")
		}
		t[args[1]] = content
		if verb == "move" {
			delete(t, args[0])
		}
		return nil
	case verb == "descriptor" && len(args) == 2:
		image, ok := images[args[0]]
		if !ok {
			return errors.New("no such image")
		}
		t[args[1]] = image.descriptor
		return nil
	}
	return errors.New("no such edit")
}

// remove deletes a file or a directory.
func (t tree) remove(name string) error {
	found := false
	for p := range t {
		if p == name || strings.HasPrefix(p, name+"/") {
			delete(t, p)
			found = true
		}
	}
	if !found {
		return errors.New("no such file")
	}
	return nil
}

// since gives what a change has to say to lead from old to t: content of new and changed files, nil for those gone.
func (t tree) since(old tree) tree {
	changes := tree{}
	for p, content := range t {
		if before, ok := old[p]; !ok || !bytes.Equal(before, content) {
			changes[p] = content
		}
	}
	for p := range old {
		if _, ok := t[p]; !ok {
			changes[p] = nil
		}
	}
	return changes
}

// editLines changes a text by blocks of lines, set apart by lines "@@". A block is written like one of a diff: lines
// that stay begin with a blank, lines that go with "-", lines that come with "+". What stays and goes must be found in
// one place exactly.
func editLines(text, blocks string) (string, error) {
	lines := strings.Split(text, "\n")
	for block := range strings.SplitSeq(strings.TrimSuffix(blocks, "\n"), "\n@@\n") {
		var before, after []string
		for line := range strings.SplitSeq(block, "\n") {
			mark, rest := byte(' '), ""
			if line != "" {
				mark, rest = line[0], line[1:]
			}
			switch mark {
			case ' ':
				before, after = append(before, rest), append(after, rest)
			case '-':
				before = append(before, rest)
			case '+':
				after = append(after, rest)
			default:
				return "", fmt.Errorf("line %q begins with none of blank, - and +", line)
			}
		}
		at := find(lines, before)
		if len(at) != 1 {
			return "", fmt.Errorf("block is found in %d places:\n%s", len(at), block)
		}
		lines = slices.Replace(lines, at[0], at[0]+len(before), after...)
	}
	return strings.Join(lines, "\n"), nil
}

// find gives the places where block stands in lines.
func find(lines, block []string) []int {
	var at []int
	for i := 0; i+len(block) <= len(lines); i++ {
		if slices.Equal(lines[i:i+len(block)], block) {
			at = append(at, i)
		}
	}
	return at
}
