/** The alerts and the dashboard have the limits of the product, and the guides explain all of it. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { DASHBOARD, renderDashboard } from '../scripts/dashboard.ts'
import { LIMITS, type SignalLimit } from '../server/about/limits.ts'
import { ALERT_SERIES } from './alert-series.ts'
import {
  listMetrics,
  listPanelExpressions,
  readAlerts,
  readDashboard,
  readDocumentedMetrics,
} from './monitoring-files.ts'
import { onStore } from './stores.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const limits: readonly SignalLimit[] = Object.values(LIMITS)
const alerts = readAlerts()
const guide = readFileSync(new URL('../docs/guides/alerts.md', import.meta.url), 'utf8')

test('alerts.yml › has an alert for every limit, and no other', () => {
  assert.deepEqual(
    alerts.map(({ alert }) => alert).toSorted(),
    limits.map(({ alert }) => alert).toSorted(),
  )
})

for (const { alert, severity, max, min, forSeconds } of limits) {
  test(`alerts.yml › ${alert} has the limit, the time and the severity of the product`, () => {
    const rule = alerts.find((one) => one.alert === alert)
    const bound = max === undefined ? `< ${min}` : `> ${max}`
    assert.ok(
      ` ${rule?.expr.trim()} `.includes(` ${bound} `) || rule?.expr.includes(`${bound}\n`),
      bound,
    )
    assert.equal(toSeconds(rule?.for), forSeconds)
    assert.equal(rule?.labels.severity, severity)
  })

  test(`docs/guides/alerts.md › explains ${alert}, to which the alert links`, () => {
    const rule = alerts.find((one) => one.alert === alert)
    const [, section = ''] = guide.split(`\n## ${alert}\n`)
    const own = section.split('\n## ')[0] ?? ''
    for (const part of ['Meaning', 'What people notice', 'Check', 'Do', 'It ends when']) {
      assert.ok(own.includes(`**${part}`), part)
    }
    assert.equal(
      rule?.annotations.runbook_url,
      `{{ $externalLabels.portbook_url }}/guides/alerts#${alert.toLowerCase()}`,
    )
    assert.ok(rule.annotations.summary.length > 0 && rule.annotations.description.endsWith('.'))
  })
}

test('alerts.yml › each alert has a firing and a quiet series', () => {
  for (const { alert } of alerts) {
    const series = Object.entries(ALERT_SERIES).find(([name]) => name === alert)?.[1]
    assert.ok(series !== undefined && series.firing.length > 0 && series.quiet.length > 0, alert)
  }
})

test('portbook.json › is current: `npm run dashboard` writes it', () => {
  assert.equal(readFileSync(DASHBOARD, 'utf8'), renderDashboard())
})

test('portbook.json › every panel is described, and none covers another', () => {
  const { panels } = readDashboard()
  const cells = new Set<string>()
  for (const { title, type, description = '', gridPos } of panels) {
    assert.ok(type === 'row' || description.endsWith('.'), title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.ok(!cells.has(`${x} ${y}`) && x < 24, title)
        cells.add(`${x} ${y}`)
      }
    }
  }
})

test('docs/guides/monitoring.md › documents every metric of the alerts and the dashboard', () => {
  const documented = new Set(readDocumentedMetrics().map(({ name }) => name))
  const expressions = [...alerts, ...listPanelExpressions()].map(({ expr }) => expr)
  const unknown = expressions.flatMap(listMetrics).filter((name) => !documented.has(name))
  assert.deepEqual(unknown, [])
})

test('docs/guides/alerts.md › every search in metrics finds one, and every search in the log a line that exists', () => {
  const names = readDocumentedMetrics().map(({ name }) => name)
  const sources = globSync('server/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })
  const code = sources.map((path) => readFileSync(`${ROOT}${path}`, 'utf8')).join('\n')
  const searches = [...guide.matchAll(/(\$METRICS" \||logs \|) grep (?:-E )?'([^']+)'/g)]
  const unknown = searches.flatMap(([, where = '', pattern = '']) => {
    if (where.startsWith('$METRICS')) {
      return names.some((name) => new RegExp(pattern).test(name)) ? [] : [pattern]
    }
    const words = pattern.split('|').filter((text) => /^[a-z -]+$/.test(text))
    return words.filter((text) => !code.includes(text))
  })
  assert.ok(searches.length > 20, String(searches.length))
  assert.deepEqual(unknown, [])
})

onStore((store) => {
  test('docs/guides/alerts.md › every statement is valid', async () => {
    const statements = [...guide.matchAll(/psql "\$DATABASE_URL" -c "([^"]+)"/g)]
    assert.ok(statements.length > 8, String(statements.length))
    for (const [, statement = ''] of statements) {
      // One after the other, so that an error names its statement.
      // oxlint-disable-next-line no-await-in-loop
      await assert.doesNotReject(sql.raw(statement).execute(store().db), statement)
    }
  })
})

function toSeconds(duration = '0s'): number {
  const [, count = '', unit = ''] = /^(\d+)([smh])$/.exec(duration) ?? []
  return Number(count) * ({ s: 1, m: 60, h: 3600 }[unit] ?? Number.NaN)
}
