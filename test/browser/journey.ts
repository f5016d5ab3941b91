/** A journey through the pages: consecutive steps, each of them a test. */

import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import type { Visitor } from './browser.ts'
import { choose } from './choose.ts'

/** Defines a step: the promise that it tests, and its actions. */
export type Step = (promise: string, walk: () => Promise<void> | void) => void

const SHOWN_CHARACTERS_MAX = 6000

/**
 * Begins a journey of a visitor. If a step fails, the following ones are skipped; the failure contains
 * the content of the page.
 */
export function startJourney(visitor: () => Visitor): Step {
  let hasFailed = false
  return (promise, walk) => {
    test(promise, async (context) => {
      if (hasFailed) {
        context.skip('an earlier step failed')
        return
      }
      try {
        await walk()
      } catch (error) {
        hasFailed = true
        const message = error instanceof Error ? error.message : String(error)
        throw new Error(`${message}\n\n${await describePage(visitor())}`, { cause: error })
      }
    })
  }
}

// Leaves out the frame of the page and unselected options, which would hide the relevant content.
async function describePage({ page, problems }: Visitor): Promise<string> {
  const places = await page.locator('main, [role=dialog], [role=alertdialog]').all()
  const snapshots = await Promise.all(places.map((place) => place.ariaSnapshot()))
  const lines = snapshots.join('\n').split('\n')
  const relevantLines = lines
    .filter((line) => !/- '?option .*(?<!\[selected\])$/.test(line))
    .join('\n')
  return [
    `On the page ${page.url()}:`,
    relevantLines.slice(0, SHOWN_CHARACTERS_MAX),
    ...problems,
  ].join('\n')
}

/** Acts on a page and counts the actions. */
export class CountedHands {
  /** Descriptions of the clicked elements. */
  readonly clicks: string[] = []
  /** Descriptions of the fields that were filled in or chosen. */
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
