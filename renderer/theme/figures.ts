// Owns seeing whether the page's face has figures of one width by itself, or has to be asked, as figures.css then does.
// Never names a face.

/** Looks when the face is there, and marks the page with `own` or `asked`. */
export const lookAtFigures = async (): Promise<void> => {
  const font = `13px ${getComputedStyle(document.body).fontFamily}`;
  await document.fonts.load(font, '0123456789');
  const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  // A canvas draws the face as it is: it knows nothing of what the page asks of it.
  canvas.font = font;
  const widths = [...'0123456789'].map((figure) => canvas.measureText(figure.repeat(100)).width);
  const isOwn = Math.max(...widths) - Math.min(...widths) < 1;
  document.documentElement.dataset.figures = isOwn ? 'own' : 'asked';
};
