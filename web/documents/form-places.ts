import { getReadingLine } from './section-links.ts'
import { isInside } from './touched-fields.ts'

// Finds the places of a form on the page: elements that name the fields of the document that they edit.

/** The elements that are the place of one or of several fields. */
export const PLACES = '[data-field], [data-fields]'
const VISIBLE_PLACES = `:is(${PLACES}):not(details:not([open]) *)`

/** Lists the fields of a place, as dotted paths. */
export function getFields(place: Element | null): string[] {
  const text = place?.getAttribute('data-field') ?? place?.getAttribute('data-fields') ?? undefined
  return text?.split('\n') ?? []
}

function listPlaces(form: HTMLElement): Element[] {
  return [...form.querySelectorAll(VISIBLE_PLACES)]
}

// A place may have no box of its own.
function getBox(place: Element): DOMRect {
  const inner = getComputedStyle(place).display === 'contents' ? place.firstElementChild : place
  return (inner ?? place).getBoundingClientRect()
}

/** Returns the field of the form that is read: the last one above the line that moves with the scroll. */
export function findReadField(form: HTMLElement): string | undefined {
  const line = getReadingLine()
  const place = listPlaces(form).findLast((one) => {
    const { top, height } = getBox(one)
    return height > 0 && top <= line
  })
  return getFields(place ?? null)[0]
}

/** Returns the visible place that is nearest to a field: its own, or that of what holds it. */
function findFieldPlace(form: HTMLElement, field: string): Element | undefined {
  let best: { place: Element; length: number } | undefined
  for (const place of listPlaces(form)) {
    for (const one of getFields(place)) {
      if (one !== field && !isInside(field, one)) continue
      if (best === undefined || one.length >= best.length) best = { place, length: one.length }
    }
  }
  return best?.place
}

const HEADER_PX = 100

/**
 * Scrolls the page to a field. Without `progress`, a field in sight stays where it is; with it, the field moves to that
 * part of the window.
 */
export function scrollToField(
  form: HTMLElement,
  field: string,
  progress: number | undefined,
): void {
  const place = findFieldPlace(form, field)
  if (place === undefined) return
  const { top, height } = getBox(place)
  const { clientHeight } = document.documentElement
  if (progress === undefined && top >= HEADER_PX && top < clientHeight - HEADER_PX) return
  // At the end, the beginning of the field is still in sight.
  const room = clientHeight - HEADER_PX - Math.min(height, clientHeight / 2)
  const aim = (progress ?? 1 / 3) * room
  window.scrollBy({ top: top - HEADER_PX - aim, behavior: 'instant' })
}

const CONTROLS = 'input, textarea, select, button, summary'
const WAIT_MS_MAX = 2000

/**
 * Focuses the control of a field as soon as it is on the page: what was folded around it may still be loading. Resolves
 * to false if the form has no place for the field.
 */
export async function focusField(form: HTMLElement, field: string): Promise<boolean> {
  if (!(await waitForPlace(form, field))) return false
  const place = findFieldPlace(form, field)
  const control =
    place?.querySelector<HTMLElement>('[aria-invalid=true]') ??
    place?.querySelector<HTMLElement>(CONTROLS)
  control?.focus({ preventScroll: true })
  control?.scrollIntoView({ block: 'center' })
  return control !== undefined && control !== null
}

async function waitForPlace(form: HTMLElement, field: string): Promise<boolean> {
  const isExact = (): boolean => getFields(findFieldPlace(form, field) ?? null).includes(field)
  await new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => isExact() && end())
    const timer = setTimeout(() => end(), WAIT_MS_MAX)
    const end = (): void => {
      observer.disconnect()
      clearTimeout(timer)
      resolve()
    }
    observer.observe(form, { childList: true, subtree: true, attributes: true })
    requestAnimationFrame(() => isExact() && end())
  })
  return findFieldPlace(form, field) !== undefined
}
