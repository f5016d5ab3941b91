import assert from 'node:assert/strict'
import test from 'node:test'
import { reloadOnce, takeReloadNotice, type BrowserTab } from './reload-once.ts'

function newTab(): { getTab: () => BrowserTab; count: () => number } {
  const values = new Map<string, string>([['portbook-draft:org:product:new', '"typed"']])
  let count = 0
  const tab: BrowserTab = {
    storage: {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key),
    },
    reload: () => void (count += 1),
  }
  return { getTab: () => tab, count: () => count }
}

function getClosedTab(): BrowserTab {
  throw new Error('closed')
}

test('reloadOnce › reloads once for each version, whichever order servers answer in', () => {
  const { getTab, count } = newTab()
  const versions = ['/static/b.js', '/static/a.js', '/static/b.js', '/static/a.js']
  const reloads = versions.map((version) => reloadOnce(version, getTab))
  assert.deepEqual(reloads, [true, true, false, false])
  assert.equal(count(), 2)
})

test('reloadOnce › never reloads where storage is closed', () => {
  assert.equal(reloadOnce('/static/b.js', getClosedTab), false)
  assert.equal(takeReloadNotice(getClosedTab), false)
})

test('takeReloadNotice › reports a reload once and keeps drafts', () => {
  const { getTab } = newTab()
  assert.equal(takeReloadNotice(getTab), false)
  reloadOnce('/static/b.js', getTab)
  assert.deepEqual([takeReloadNotice(getTab), takeReloadNotice(getTab)], [true, false])
  assert.equal(getTab().storage.getItem('portbook-draft:org:product:new'), '"typed"')
})
