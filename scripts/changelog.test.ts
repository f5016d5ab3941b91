import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutChangelog, findSection } from './changelog.ts'

const HEAD = '# Changelog\n\nNewest first.\n\n'

test('changelog › the unreleased section becomes that of the version, dated, below an empty one', () => {
  const text = `${HEAD}## Unreleased\n\n### Added\n\n- A thing.\n`
  const cut = cutChangelog(text, '0.1.0', '2026-11-29')
  assert.equal(cut, `${HEAD}## Unreleased\n\n## 0.1.0 — 2026-11-29\n\n### Added\n\n- A thing.\n`)
  assert.equal(findSection(cut, '0.1.0'), '### Added\n\n- A thing.')
})

test('changelog › cutting again changes nothing, and the next version goes above', () => {
  const first = cutChangelog(`${HEAD}## Unreleased\n\n- One.\n`, '0.1.0', '2026-11-29')
  assert.equal(cutChangelog(first, '0.1.0', '2026-12-01'), first)
  const more = first.replace('## Unreleased\n', '## Unreleased\n\n- Two.\n')
  const second = cutChangelog(more, '0.2.0', '2026-12-24')
  assert.equal(
    second,
    `${HEAD}## Unreleased\n\n## 0.2.0 — 2026-12-24\n\n- Two.\n\n## 0.1.0 — 2026-11-29\n\n- One.\n`,
  )
  assert.equal(findSection(second, '0.2.0'), '- Two.')
  assert.equal(findSection(second, '0.1.0'), '- One.')
})

test('changelog › a version without notes cannot be cut', () => {
  const cut = cutChangelog(`${HEAD}## Unreleased\n\n- One.\n`, '0.1.0', '2026-11-29')
  assert.throws(() => cutChangelog(cut, '0.2.0', '2026-12-24'), /"## Unreleased" is empty/)
  assert.throws(() => cutChangelog(HEAD, '0.2.0', '2026-12-24'), /no section/)
  assert.equal(findSection(cut, '0.1'), undefined)
})
