import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { chooseOrganization, currentOrganization, keepOrganization } from './organization.ts'

function newStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  }
}

/** Runs a function in a tab: tabs share the local storage. */
function newTab(context: TestContext, shared: ReturnType<typeof newStorage>) {
  const own = newStorage()
  return <Result>(act: () => Result): Result => {
    for (const [name, value] of [
      ['sessionStorage', own],
      ['localStorage', shared],
    ] as const) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
      context.after(() => Reflect.deleteProperty(globalThis, name))
    }
    return act()
  }
}

test('chooseOrganization › a new tab begins with the organization that was chosen last', (context) => {
  const shared = newStorage()
  newTab(context, shared)(() => chooseOrganization('a'))
  assert.equal(newTab(context, shared)(currentOrganization), 'a')
})

test('keepOrganization › opening a page in one tab does not choose for tabs to come', (context) => {
  const shared = newStorage()
  const [first, second] = [newTab(context, shared), newTab(context, shared)]
  first(() => chooseOrganization('a'))
  second(() => chooseOrganization('b'))
  first(() => keepOrganization('a'))
  assert.equal(first(currentOrganization), 'a')
  assert.equal(newTab(context, shared)(currentOrganization), 'b')
  first(() => keepOrganization(undefined))
  assert.equal(first(currentOrganization), 'b')
})
