import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toPattern, whyDead, type PageLink, type Target } from './link-targets.ts'

const MISSING = 'Page not found'
const link: PageLink = {
  from: '/',
  to: '/search?format=dps',
  text: 'Find them',
  isNavigation: false,
  isFile: false,
}
const target: Target = { title: 'Search', failedRequests: [], isEmpty: false, ids: ['main'] }

function why(ofLink: Partial<PageLink>, ofTarget: Partial<Target> = {}): string | undefined {
  return whyDead({ ...link, ...ofLink }, { ...target, ...ofTarget }, MISSING)
}

describe('whyDead', () => {
  test('accepts a page with content', () => {
    assert.equal(why({}), undefined)
  })

  test('reports a page that does not exist', () => {
    assert.equal(why({}, { title: MISSING }), 'no such page')
  })

  test('reports a page without a title', () => {
    assert.equal(why({}, { title: '' }), 'no page')
  })

  test('reports a failed request, even from the navigation', () => {
    const failedRequests = ['404 /api/dataproducts/gone']
    assert.match(why({ isNavigation: true }, { failedRequests }) ?? '', /404 \/api\/dataproducts/)
  })

  test('reports an empty list that a link promises to fill', () => {
    assert.equal(why({}, { isEmpty: true }), 'the target is empty')
    assert.equal(why({ text: '4 contracts' }, { isEmpty: true }), 'the target is empty')
    assert.equal(why({ text: '05 Wagons' }, { isEmpty: true }), 'the target is empty')
    const tab = { text: 'Used by 10', isNavigation: true }
    assert.equal(why(tab, { isEmpty: true }), 'the target is empty')
  })

  test('accepts an empty list behind the navigation or a count of zero', () => {
    assert.equal(why({ isNavigation: true }, { isEmpty: true }), undefined)
    assert.equal(why({ text: '0integrations' }, { isEmpty: true }), undefined)
    assert.equal(why({ text: 'No runs' }, { isEmpty: true }), undefined)
    assert.equal(why({ text: 'Used by 0', isNavigation: true }, { isEmpty: true }), undefined)
    assert.equal(why({ text: 'Requested0', isNavigation: true }, { isEmpty: true }), undefined)
  })

  test('accepts a fragment of an empty page on the page itself', () => {
    const to = '/search?query=x#main'
    assert.equal(why({ from: '/search?query=x', to }, { isEmpty: true }), undefined)
  })

  test('reports a fragment that no element has', () => {
    assert.equal(why({ to: '/guides/ci#main' }), undefined)
    assert.equal(why({ to: '/guides/ci#gate' }), 'no element has the id gate')
  })
})

describe('toPattern', () => {
  test('replaces ids and drops the values of parameters', () => {
    assert.equal(toPattern('/data-products/a%2Fb/edit?version=2'), '/data-products/*/edit version')
    assert.equal(
      toPattern('/integrations/yard/runs/12?view=log'),
      '/integrations/*/runs/* view=log',
    )
    assert.equal(toPattern('/search?tag=b&query=a&tag=c'), '/search query tag')
  })

  test('keeps new documents, lists and fragments apart from documents', () => {
    assert.equal(toPattern('/teams/new?parent=fleet'), '/teams/new parent')
    assert.equal(toPattern('/teams'), '/teams')
    assert.equal(toPattern('/guides/ci#gate'), '/guides/ci')
  })
})
