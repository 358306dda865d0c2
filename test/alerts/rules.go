package alerts

import (
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/rules"
	"sigs.k8s.io/yaml"
)

// file is the part of a PrometheusRule that is tested.
type file struct {
	Spec struct {
		Groups []struct {
			Rules []struct {
				Alert       string            `json:"alert"`
				Expr        string            `json:"expr"`
				For         string            `json:"for"`
				Labels      map[string]string `json:"labels"`
				Annotations map[string]string `json:"annotations"`
			} `json:"rules"`
		} `json:"groups"`
	} `json:"spec"`
}

// read returns the alerts of a PrometheusRule, ready to be evaluated.
func read(name string) ([]*rules.AlertingRule, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var content file
	if err := yaml.Unmarshal(text, &content); err != nil {
		return nil, err
	}
	promQL := parser.NewParser(parser.Options{})
	var alerts []*rules.AlertingRule
	for _, group := range content.Spec.Groups {
		for _, rule := range group.Rules {
			expression, err := promQL.ParseExpr(rule.Expr)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", rule.Alert, err)
			}
			var hold model.Duration
			if rule.For != "" {
				if hold, err = model.ParseDuration(rule.For); err != nil {
					return nil, fmt.Errorf("%s: %w", rule.Alert, err)
				}
			}
			alerts = append(alerts, rules.NewAlertingRule(rule.Alert, expression, time.Duration(hold), 0,
				labels.FromMap(rule.Labels), labels.FromMap(rule.Annotations), labels.EmptyLabels(), "",
				true, slog.New(slog.DiscardHandler)))
		}
	}
	return alerts, nil
}
