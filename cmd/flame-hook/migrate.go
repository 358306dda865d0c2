package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xflops/flame-operator/internal/migrate"
)

func newMigrateCommand() *cobra.Command {
	var files []string
	var write bool
	command := &cobra.Command{
		Use:   "migrate -f FILE...",
		Short: "Rewrites FlameClusters that have the string forms of the API's first release",
		Long: `Prints the files with their FlameClusters in today's form: slot, storage,
objectCache.storage and executorManager.replicas, which moves to spec.replicas.
Only these fields change. Comments, order and all other documents stay as they
are, and a file without old forms is printed byte for byte. What was changed goes
to the standard error.

A connection string does not belong into a FlameCluster: it moves into a Secret,
which is printed in front of its file. With --write files are changed in place, and
the Secrets of cluster.yaml go to the new file cluster.secrets.yaml, which only you
can read; a file of that name is never overwritten.

What can't be translated is refused with file, line and field; then nothing is
printed or written at all. Nothing that runs restarts when the new form is applied.`,
		Example: `  flame-hook migrate -f cluster.yaml
  flame-hook migrate --write -f cluster.yaml
  flame-hook migrate --write -f clusters/*.yaml
  kubectl get fc my-flame -o yaml | flame-hook migrate -f - | kubectl replace -f -`,
		RunE: func(c *cobra.Command, args []string) error {
			files = distinct(append(files, args...))
			switch {
			case len(files) == 0:
				return errNoInput
			case write && slices.Contains(files, "-"):
				return usageError{errors.New("--write needs files: the standard input can't be changed in place")}
			}
			migrated, err := migrateFiles(files, c.InOrStdin(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			if write {
				return writeMigrations(migrated, c.ErrOrStderr())
			}
			return printMigrations(migrated, c.OutOrStdout())
		},
	}
	addFiles(command, &files)
	command.Flags().BoolVarP(&write, "write", "w", false, "change the files in place")
	return command
}

// distinct drops files that are named again: a file is rewritten once.
func distinct(files []string) []string {
	var kept []string
	for _, file := range files {
		if file != "-" {
			file = filepath.Clean(file)
		}
		if !slices.Contains(kept, file) {
			kept = append(kept, file)
		}
	}
	return kept
}

type migratedFile struct {
	file string
	*migrate.Migration
}

// migrateFiles translates all files, and reports everything about all of them before
// anything is written.
func migrateFiles(files []string, in io.Reader, errOut io.Writer) ([]migratedFile, error) {
	var migrated []migratedFile
	flameClusters, refused := 0, false
	for _, file := range files {
		raw, err := readFile(file, in)
		if err != nil {
			return nil, err
		}
		migration, problems := migrate.File(raw)
		for _, problem := range problems {
			refused = true
			_, _ = fmt.Fprintf(errOut, "error: %s\n", message(file, problem))
		}
		if migration == nil {
			continue
		}
		flameClusters += migration.FlameClusters
		migrated = append(migrated, migratedFile{file, migration})
	}
	if refused {
		_, _ = fmt.Fprintln(errOut, "Nothing was printed or written. Correct these fields by hand, then run the command again.")
		return nil, invalidInput{errors.New("manifests that can't be migrated")}
	}
	if flameClusters == 0 {
		return nil, errNoFlameCluster
	}
	for _, m := range migrated {
		if len(m.Changes) == 0 {
			_, _ = fmt.Fprintf(errOut, "unchanged: %s: nothing to migrate\n", inputName(m.file))
		}
		for _, change := range m.Changes {
			_, _ = fmt.Fprintf(errOut, "changed: %s\n", message(m.file, change))
		}
	}
	return migrated, nil
}

// message puts a note behind its place.
func message(file string, note migrate.Note) string {
	text := fmt.Sprintf("%s, line %d, document %d", inputName(file), note.Line, note.Document)
	if note.Object != "" {
		text += " (" + note.Object + ")"
	}
	if note.Field != "" {
		text += ": " + note.Field
	}
	return text + ": " + note.Message
}

// printMigrations prints the Secrets of a file in front of it, so that they are
// there before the session manager asks for them.
func printMigrations(migrated []migratedFile, out io.Writer) error {
	var parts []string
	for _, m := range migrated {
		for _, part := range [][]byte{m.Secrets, m.Text} {
			if len(part) > 0 {
				parts = append(parts, string(part))
			}
		}
	}
	for i, part := range parts {
		if i > 0 && !strings.HasPrefix(part, "---") {
			part = "---\n" + part
		}
		if i < len(parts)-1 && !strings.HasSuffix(part, "\n") {
			part += "\n"
		}
		if _, err := io.WriteString(out, part); err != nil {
			return err
		}
	}
	return nil
}

func writeMigrations(migrated []migratedFile, errOut io.Writer) error {
	owners := map[string]string{}
	for _, m := range migrated {
		if file := secretsFile(m.file); m.Secrets != nil {
			if other, taken := owners[file]; taken {
				return fmt.Errorf("the Secrets of %s and of %s would both go to %s: run the command for one after the other, and move that file away in between; nothing was written", other, m.file, file)
			}
			owners[file] = m.file
			if _, err := os.Lstat(file); err == nil {
				return fmt.Errorf("%s is there already, and is where the Secrets of %s would go: move it away and run the command again; nothing was written", file, m.file)
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	for _, m := range migrated {
		if len(m.Changes) == 0 {
			continue
		}
		if m.Secrets != nil {
			if err := writeSecrets(secretsFile(m.file), m.Secrets); err != nil {
				return err
			}
			_, _ = fmt.Fprintf(errOut, "written: %s: Secrets with connection strings; apply it first, and keep it out of version control\n", secretsFile(m.file))
		}
		if err := replaceFile(m.file, m.Text); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(errOut, "written: %s\n", m.file)
	}
	return nil
}

// secretsFile is cluster.secrets.yaml next to cluster.yaml.
func secretsFile(file string) string {
	return strings.TrimSuffix(file, filepath.Ext(file)) + ".secrets.yaml"
}

// writeSecrets creates a file for its owner alone. It never overwrites one.
func writeSecrets(file string, content []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

// replaceFile changes a file at once, or not at all: what is in the way of writing
// leaves the old content. Permissions and links stay.
func replaceFile(file string, content []byte) error {
	file, err := filepath.EvalSymlinks(file)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
