// Renders and checks the files of `deploy/` with the code of Helm and of Compose themselves. It reads a list of jobs from
// standard input and writes a list of results, both as JSON, so that one process does the work of a whole test.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/lint"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
)

type job struct {
	// lint, template or compose.
	Kind string `json:"kind"`
	// The folder of the chart, or the Compose file.
	Path      string         `json:"path"`
	Values    map[string]any `json:"values"`
	IsUpgrade bool           `json:"isUpgrade"`
	// The file with the variables of Compose.
	EnvFile  string   `json:"envFile"`
	Profiles []string `json:"profiles"`
}

type result struct {
	Output any    `json:"output,omitempty"`
	Error  string `json:"error,omitempty"`
}

func main() {
	var jobs []job
	if err := json.NewDecoder(os.Stdin).Decode(&jobs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	results := make([]result, 0, len(jobs))
	for _, each := range jobs {
		output, err := run(each)
		if err != nil {
			results = append(results, result{Error: err.Error()})
		} else {
			results = append(results, result{Output: output})
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(each job) (any, error) {
	switch each.Kind {
	case "lint":
		return lintChart(each), nil
	case "template":
		return renderChart(each)
	case "compose":
		return loadCompose(each)
	}
	return nil, fmt.Errorf("unknown kind %q", each.Kind)
}

// Does what `helm lint` does. Returns its messages, each with its severity.
func lintChart(each job) []string {
	messages := []string{}
	for _, message := range lint.RunAll(each.Path, each.Values, "portbook").Messages {
		messages = append(messages, message.Error())
	}
	return messages
}

// Does what `helm template` does before it sorts the manifests. Returns the text of each template by its path.
func renderChart(each job) (map[string]string, error) {
	chart, err := loader.Load(each.Path)
	if err != nil {
		return nil, err
	}
	options := common.ReleaseOptions{
		Name:      "catalog",
		Namespace: "portbook",
		Revision:  1,
		IsInstall: !each.IsUpgrade,
		IsUpgrade: each.IsUpgrade,
	}
	values, err := util.ToRenderValues(chart, each.Values, options, common.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	return engine.Render(chart, values)
}

// Does what `docker compose config` does.
func loadCompose(each job) (any, error) {
	options, err := cli.NewProjectOptions(
		[]string{each.Path},
		cli.WithEnvFiles(each.EnvFile),
		cli.WithDotEnv,
		cli.WithProfiles(each.Profiles),
	)
	if err != nil {
		return nil, err
	}
	return cli.ProjectFromOptions(context.Background(), options)
}
