import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { FORMER_ADDRESSES } from '../../../formats/name/reserved-addresses.ts'
import { findPageRedirect } from './page-redirect.ts'

describe('redirects of page addresses that clients print', () => {
  for (const [path, target] of [
    ['/dataproducts/orders', '/data-products/orders'],
    ['/datacontracts/urn:a:b', '/data-contracts/urn%3Aa%3Ab'],
    ['/sourcesystems/sap', '/source-systems/sap'],
    ['/acme/dataproducts/orders', '/data-products/orders'],
    ['/acme/datacontracts/orders', '/data-contracts/orders'],
    ['/acme/teams/a%20b', '/teams/a%20b'],
    ['/acme/assets/x', '/assets/x'],
    ['/acme/sourcesystems/sap', '/source-systems/sap'],
    ['/acme/dataproducts/orders/outputports/one', '/data-products/orders'],
    ['/catalog', '/search'],
    ['/catalog/dataproducts/orders', '/data-products/orders'],
    ['/dataproducts', '/search?resourceType=DATA_PRODUCT'],
    ['/acme/dataproducts/', '/search?resourceType=DATA_PRODUCT'],
    ['/%C3%A4/teams/%C3%A4', '/teams/%C3%A4'],
  ] as const) {
    test(`GET ${path} › ${target}`, () => assert.equal(findPageRedirect(path, false), target))
  }

  for (const path of [
    '/',
    '/acme',
    '/nowhere/x',
    '/acme/nowhere/x',
    '//dataproducts/x',
    '/../dataproducts/x',
    '/%2e%2e/dataproducts/x',
    '/acme/dataproducts/..',
    '/acme/dataproducts/%2e%2e',
    '/acme/dataproducts//evil.test',
    '/dataproducts/%zz',
    '/dataproducts/%0d%0a',
    '/dataproducts/https:%2F%2Fevil.test',
    '/a/b/dataproducts/x',
    '/API/teams/x',
    '/%61pi/teams',
    '/Ui/assets/x',
  ]) {
    test(`GET ${path} › no redirect`, () => assert.equal(findPageRedirect(path, false), undefined))
  }

  test('pages of the catalog itself are not redirected', () => {
    for (const path of ['/teams/x', '/data-products/teams/x', '/search/dataproducts/x']) {
      assert.equal(findPageRedirect(path, true), undefined)
    }
  })

  test('an organization keeps its address when a page gets the same one', () => {
    for (const first of FORMER_ADDRESSES) {
      assert.equal(
        findPageRedirect(`/${first}/datacontracts/orders`, true),
        '/data-contracts/orders',
      )
      assert.equal(findPageRedirect(`/${first}/teams`, true), undefined)
      assert.equal(findPageRedirect(`/${first}/nowhere/x`, true), undefined)
    }
  })

  test('never leads to another site', () => {
    const segment = fc.oneof(
      fc.constantFrom('', '.', '..', '\\', '%5c', '%2f', 'evil.test', 'https:', 'teams', 'assets'),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), fc.boolean(), (segments, isOwn) => {
        const target = findPageRedirect(`/${segments.join('/')}`, isOwn)
        if (target === undefined) return
        const url = new URL(target, 'https://portbook.test')
        assert.equal(url.origin, 'https://portbook.test')
        assert.equal(url.pathname + url.search, target)
        assert.match(target, /^\/[a-z][\w?=%~!'()*./-]*$/)
      }),
    )
  })
})
