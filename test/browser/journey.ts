/** A journey over the pages: steps that follow one another, each a test of its own. */

import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import type { Visitor } from './browser.ts'
import { choose } from './choose.ts'

/** Defines a step: its promise, and how it is walked. */
export type Step = (promise: string, walk: () => Promise<void> | void) => void

const SHOWN_CHARACTERS_MAX = 6000

/**
 * Begins a journey of a visitor. What comes after a step that failed is not walked; the failure tells
 * what stood on the page.
 */
export function newJourney(visitor: () => Visitor): Step {
  let hasFailed = false
  return (promise, walk) => {
    test(promise, async (context) => {
      if (hasFailed) {
        context.skip('a step before it failed')
        return
      }
      try {
        await walk()
      } catch (error) {
        hasFailed = true
        const message = error instanceof Error ? error.message : String(error)
        throw new Error(`${message}\n\n${await shown(visitor())}`, { cause: error })
      }
    })
  }
}

// What stands around every page, and lists of choices, would hide what matters.
async function shown({ page, problems }: Visitor): Promise<string> {
  const places = await page.locator('main, [role=dialog], [role=alertdialog]').all()
  const snapshots = await Promise.all(places.map((place) => place.ariaSnapshot()))
  const lines = snapshots.join('\n').split('\n')
  const told = lines.filter((line) => !/- '?option .*(?<!\[selected\])$/.test(line)).join('\n')
  return [`On the page ${page.url()}:`, told.slice(0, SHOWN_CHARACTERS_MAX), ...problems].join('\n')
}

/** Does what a person does on a page, and counts it. */
export class CountedHands {
  /** What was clicked, in words. */
  readonly clicks: string[] = []
  /** What was filled in or chosen, in words. */
  readonly fields: string[] = []

  async click(control: Locator): Promise<void> {
    this.clicks.push(String(control))
    await control.click()
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.fields.push(String(field))
    await field.fill(text)
  }

  async choose(field: Locator, label: string): Promise<void> {
    this.fields.push(String(field))
    await choose(field, label)
  }
}
