package demo

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// deliveryFile says where the application's pipeline delivers to. In the story ci/deliver.sh reads it; here we do, so
// that what the pipeline does at a release is what the repository says at that release.
const deliveryFile = "ci/delivery.env"

// pipelineTime is how long it takes from a tag to the commit in the manifests.
const pipelineTime = 12 * time.Minute

// delivery is what deliveryFile says.
type delivery struct {
	values     string // file with the image's tag and the exposed services
	descriptor string // file of the descriptor
	services   []string
}

func parseDelivery(env []byte) (delivery, error) {
	var d delivery
	for line := range strings.Lines(string(env)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		value = strings.Trim(value, `"`)
		switch key {
		case "VALUES":
			d.values = value
		case "DESCRIPTOR":
			d.descriptor = value
		case "SERVICES":
			d.services = strings.Fields(value)
		}
	}
	if d.values == "" || d.descriptor == "" || len(d.services) == 0 {
		return delivery{}, fmt.Errorf("%s: VALUES, DESCRIPTOR or SERVICES is missing", deliveryFile)
	}
	return d, nil
}

// step is the commit that the pipeline makes.
func (r release) step() step {
	return step{
		file: "release " + r.tag, author: "release-bot", when: r.when.Add(pipelineTime), branch: r.branch, tag: r.knownAs,
		message: fmt.Sprintf("release api %s\n\n%s\n\nSource: shop/api %s\n", r.tag, r.subject, r.commit),
	}
}

// deliver changes the manifests as ci/deliver.sh does.
func (r release) deliver(t tree) error {
	values, err := setRelease(string(t[r.delivery.values]), r.tag, r.delivery.services)
	if err != nil {
		return fmt.Errorf("%s: %w", r.delivery.values, err)
	}
	t[r.delivery.values] = []byte(values)
	if t[r.delivery.descriptor] == nil {
		return fmt.Errorf("%s: the pipeline writes where no descriptor is", r.delivery.descriptor)
	}
	t[r.delivery.descriptor] = r.descriptor
	return nil
}

// setRelease sets image.tag and transcoder.services in a values file and leaves all else, comments included.
func setRelease(values, tag string, services []string) (string, error) {
	lines := strings.Split(values, "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  tag: ") })
	from := slices.Index(lines, "  services:") + 1
	if at < 0 || from == 0 {
		return "", fmt.Errorf("no tag or no services to set")
	}
	lines[at] = "  tag: " + tag
	to := from
	for strings.HasPrefix(lines[to], "    - ") {
		to++
	}
	var items []string
	for _, s := range services {
		items = append(items, "    - "+s)
	}
	return strings.Join(slices.Replace(lines, from, to, items...), "\n"), nil
}
