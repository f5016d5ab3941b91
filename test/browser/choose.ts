import type { Locator } from 'playwright-core'

/** Chooses an option of a combobox by its label. */
export async function choose(field: Locator, label: string): Promise<void> {
  await field.click()
  if (await field.isEditable()) await field.fill(label)
  await field
    .page()
    .getByRole('option', { name: label })
    .and(field.page().locator(':visible'))
    .first()
    .click()
}
