/** Offers a text to the person as a file. */
export function download(text: string, mediaType: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName.replaceAll(/[^\w.-]+/g, '_')
  link.click()
  URL.revokeObjectURL(address)
}
