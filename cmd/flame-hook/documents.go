package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
)

// document is one FlameCluster in a file.
type document struct {
	file   string
	number int // counted from 1
	parent hook.Parent
}

// addFilesFlag adds the flag -f, which names the input.
func addFilesFlag(command *cobra.Command, files *[]string) {
	command.Flags().StringSliceVarP(files, "filename", "f", nil, "file with FlameClusters, or - for the standard input; may be repeated")
}

// place says where a message belongs: file, document and object.
func (d document) place() string {
	return fmt.Sprintf("%s, document %d (%s/%s)", d.file, d.number, d.parent.Metadata.Namespace, d.parent.Metadata.Name)
}

// readDocuments reads the FlameClusters of all files; "-" is the standard input.
// Documents of other kinds are passed over and counted.
func readDocuments(files []string, in io.Reader) (documents []document, others int, err error) {
	if len(files) == 0 {
		return nil, 0, usageError{errors.New("no input: give a file with -f, or -f - for the standard input")}
	}
	for _, file := range files {
		raw, err := readFile(file, in)
		if err != nil {
			return nil, 0, err
		}
		found, passed, err := splitDocuments(file, raw)
		if err != nil {
			return nil, 0, err
		}
		documents, others = append(documents, found...), others+passed
	}
	if len(documents) == 0 {
		return nil, others, fmt.Errorf("no FlameCluster of %s in the input", v1alpha1.GroupVersion)
	}
	return documents, others, nil
}

func readFile(file string, in io.Reader) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(in)
	}
	return os.ReadFile(file)
}

// inputName is what messages call a file.
func inputName(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}

func splitDocuments(file string, raw []byte) (documents []document, others int, err error) {
	file = inputName(file)
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(raw)))
	for number := 1; ; number++ {
		text, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return documents, others, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%s, document %d: %w", file, number, err)
		}
		asJSON, err := yaml.YAMLToJSONStrict(text)
		if err != nil {
			return nil, 0, fmt.Errorf("%s, document %d: %w", file, number, err)
		}
		if string(bytes.TrimSpace(asJSON)) == "null" {
			number--
			continue
		}
		d := document{file: file, number: number}
		if err := json.Unmarshal(asJSON, &d.parent); err != nil {
			return nil, 0, fmt.Errorf("%s, document %d: not a Kubernetes object: %w", file, number, err)
		}
		if d.parent.Kind != v1alpha1.Kind || d.parent.APIVersion != v1alpha1.GroupVersion.String() {
			others++
			continue
		}
		if d.parent.Metadata.Namespace == "" {
			d.parent.Metadata.Namespace = "default"
		}
		documents = append(documents, d)
	}
}
