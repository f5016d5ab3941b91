const KEY = 'portbook-organization'

/**
 * The organization in which this tab acts, by its id; undefined = the person's first. A tab keeps its
 * own, and a new tab begins with the one that was chosen last.
 */
export function currentOrganization(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined
  } catch {
    // Storage may be closed to us; then it is always the first.
    return undefined
  }
}

/** Chooses the organization for this tab, and for tabs to come: only what a person does chooses it. */
export function chooseOrganization(id: string | undefined): void {
  store(() => [sessionStorage, localStorage], id)
}

/** Keeps the organization in which this tab acts. Tabs to come begin with the one that the person chose last. */
export function keepOrganization(id: string | undefined): void {
  store(() => [sessionStorage], id)
}

function store(
  list: () => Pick<Storage, 'setItem' | 'removeItem'>[],
  id: string | undefined,
): void {
  try {
    for (const storage of list()) {
      if (id === undefined) storage.removeItem(KEY)
      else storage.setItem(KEY, id)
    }
  } catch {
    // Nothing is kept then, and the choice ends with the page.
  }
}
