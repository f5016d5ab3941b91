import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

/** The files that operators load into Prometheus and Grafana. */

/** An alert of `deploy/prometheus/alerts.yml`. */
export interface AlertRule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; description: string; runbook_url: string }
}

/** A panel of the dashboard. */
export interface DashboardPanel {
  title: string
  type: string
  description?: string
  targets?: { expr: string; legendFormat?: string }[]
  gridPos: { x: number; y: number; w: number; h: number }
}

/** The dashboard, as far as tests read it. */
export interface Dashboard {
  title: string
  templating: { list: { name: string; type: string; query: unknown }[] }
  panels: DashboardPanel[]
}

/** The folder of the files of Prometheus. */
export const PROMETHEUS_FOLDER = fileURLToPath(new URL('../deploy/prometheus/', import.meta.url))

/** Reads the alerts. */
export function readAlerts(): AlertRule[] {
  const file = parse(readFileSync(`${PROMETHEUS_FOLDER}alerts.yml`, 'utf8')) as {
    groups: { rules: AlertRule[] }[]
  }
  return file.groups.flatMap(({ rules }) => rules)
}

/** Reads the dashboard. */
export function readDashboard(): Dashboard {
  const file = new URL('../deploy/grafana/portbook.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Dashboard
}

/** An expression of a panel. */
export interface PanelExpression {
  title: string
  expr: string
  /** The labels that its legend shows. */
  labels: readonly string[]
}

/** Lists the expressions of the dashboard, each with its panel. */
export function listPanelExpressions(): PanelExpression[] {
  return readDashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat = '' }) => ({
      title,
      expr,
      labels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
    })),
  )
}

/** Lists the metrics that an expression reads, without the endings of histograms. */
export function listMetrics(expr: string): string[] {
  const names = expr.match(/\b(?:portbook|nodejs|process)_\w+/g) ?? []
  return names.map((name) => name.replace(/(?<=_seconds)_(?:bucket|count|sum)$/, ''))
}

/** A metric of a scrape. */
export interface ScrapedMetric {
  name: string
  type: string
  help: string
}

/** Reads the metrics of a scrape that have values, in their order. */
export function readScrape(text: string): ScrapedMetric[] {
  const helps = new Map(
    [...text.matchAll(/^# HELP (\w+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]),
  )
  return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => ({
    name,
    type,
    help: helps.get(name) ?? '',
  }))
}

/** Reads the table of metrics of the guide. */
export function readDocumentedMetrics(): ScrapedMetric[] {
  const guide = readFileSync(new URL('../docs/guides/monitoring.md', import.meta.url), 'utf8')
  return [...guide.matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \| (.*) \|$/gm)].map(
    ([, name = '', type = '', help = '']) => ({ name, type, help }),
  )
}
