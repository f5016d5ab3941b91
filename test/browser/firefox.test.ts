/** Every page of the demo in Firefox: it shows its content, and the console stays empty. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findFirefox, openFirefox, type FirefoxWindow } from './bidi.ts'
import { shareDemo, type Catalog } from './catalog.ts'
import { listPlaces, mainPageNames } from './mesh.ts'
import { FOLLOW_LINK, UNTIL_QUIET } from './navigation.ts'

const isMissing = findFirefox() === undefined && process.env.CI !== 'true'
const skip = isMissing ? 'Firefox is not installed on this machine' : false

// The title and the count of a panel share a line; the page is not wider than the window.
const LOOK = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const heads = [...document.querySelectorAll('section > header > h2')]
  const broken = heads.filter((head) => {
    const [mark] = head.querySelectorAll(':scope > span.figures')
    if (mark === undefined || head.textContent.length > 40) return false
    const range = document.createRange()
    range.selectNode(head.firstChild)
    return mark.getBoundingClientRect().top > range.getBoundingClientRect().bottom - 4
  })
  return { overflow: scrollWidth - clientWidth, broken: broken.map((head) => head.textContent) }
})()`

describe('every page in Firefox', { skip }, () => {
  let catalog: Catalog
  let firefox: FirefoxWindow
  let paths: ReadonlyMap<string, string>
  before(async () => {
    const [demo, opened] = await Promise.all([shareDemo(), openFirefox()])
    catalog = demo
    firefox = opened
    paths = new Map((await listPlaces(demo)).map(({ name, path }) => [name, path]))
    await firefox.navigate(`${catalog.url}/sign-in`)
    const body = JSON.stringify(JSON.stringify(catalog.owner))
    const headers = `{ 'content-type': 'application/json' }`
    const signIn = `fetch('/ui/sign-in', { method: 'POST', body: ${body}, headers: ${headers} })`
    assert.equal(await firefox.evaluate(`(await ${signIn}).status`), 200)
    await firefox.navigate(catalog.url)
  })
  after(async () => await firefox?.close())

  for (const name of mainPageNames) {
    test(`${name} › is shown, with an empty console`, async () => {
      const path = paths.get(name)
      assert.ok(path !== undefined)
      firefox.problems.length = 0
      // As a click on a link would: loading the application for every page takes twice the work.
      await firefox.evaluate(`(${FOLLOW_LINK})(${JSON.stringify(path)})`)
      assert.equal(await firefox.evaluate(UNTIL_QUIET), true)
      assert.deepEqual(await firefox.evaluate(LOOK), { overflow: 0, broken: [] })
      assert.deepEqual(firefox.problems, [])
    })
  }

  test('a page that breaks its policy or logs an error › is reported', async () => {
    firefox.problems.length = 0
    await firefox.evaluate("console.error('a canary')")
    await firefox.evaluate(`(() => {
      const script = document.createElement('script')
      const isBlocked = new Promise((done) => addEventListener('securitypolicyviolation', done, { once: true }))
      script.src = 'https://blocked.example/a.js'
      document.head.append(script)
      return isBlocked.then(() => null)
    })()`)
    assert.match(firefox.problems.join('\n'), /a canary[^]*policy forbids script-src/)
  })
})
