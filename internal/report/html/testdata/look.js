// Looks at the page as it is shown, and gives a list of what is wrong with it. usual: its names are as long as names are.
((usual) => {
  const wrong = [];
  const name = (e) => e.tagName.toLowerCase() + (e.getAttribute('class') ? '.' + e.getAttribute('class') : '') + ' "' + e.textContent.trim().slice(0, 50) + '"';
  const shown = (e) => e.checkVisibility({ contentVisibilityAuto: true }) && e.getClientRects().length > 0;
  for (const d of document.querySelectorAll('details')) d.open = true;

  // Nothing leaves the screen to the side.
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) wrong.push(`the page is ${document.documentElement.scrollWidth} wide, the screen ${wide}`);
  for (const e of document.body.querySelectorAll('*')) {
    if (shown(e) && !e.closest('.scroll') && !e.closest('svg') && !e.closest('thead') && e.getBoundingClientRect().right > wide + 1) wrong.push(`leaves the screen: ${name(e)}`);
  }
  for (const e of document.querySelectorAll('.scroll')) { // names without an end may be scrolled to
    if (usual && wide >= 900 && e.scrollWidth > e.clientWidth + 1) wrong.push(`has to be scrolled: ${name(e)}`);
  }

  // Texts of a drawing stay in it and in their boxes, and do not lie on each other.
  const drawings = [...document.querySelectorAll('svg')].filter(shown);
  for (const svg of drawings) {
    const [, , w, h] = svg.getAttribute('viewBox').split(' ').map(Number);
    const texts = [...svg.querySelectorAll('text')].map((e) => ({ e, b: e.getBBox() }));
    for (const { e, b } of texts) {
      if (b.width === 0) wrong.push(`has no width, so there is no font: ${name(e)}`);
      if (b.x < -1 || b.y < -1 || b.x + b.width > w + 1 || b.y + b.height > h + 1) wrong.push(`leaves its drawing: ${name(e)}`);
      for (const r of svg.querySelectorAll('rect.box')) {
        const x = +r.getAttribute('x'), y = +r.getAttribute('y'), rw = +r.getAttribute('width'), rh = +r.getAttribute('height');
        const inside = b.x >= x && b.x < x + rw && b.y + b.height / 2 > y && b.y + b.height / 2 < y + rh;
        if (inside && (b.x + b.width > x + rw - 1 || b.y < y - 1 || b.y + b.height > y + rh + 1)) wrong.push(`leaves its box: ${name(e)}`);
      }
    }
    texts.forEach((p, i) => texts.slice(i + 1).forEach((q) => {
      const dx = Math.min(p.b.x + p.b.width, q.b.x + q.b.width) - Math.max(p.b.x, q.b.x);
      const dy = Math.min(p.b.y + p.b.height, q.b.y + q.b.height) - Math.max(p.b.y, q.b.y);
      if (dx > 1 && dy > 3) wrong.push(`lie on each other: ${name(p.e)} and ${name(q.e)}`);
    }));
    for (const part of ['title', 'desc']) if (!svg.querySelector(part)?.textContent.trim()) wrong.push(`a drawing has no ${part}`);
    for (const id of svg.getAttribute('aria-labelledby').split(' ')) if (!document.getElementById(id)) wrong.push(`there is no ${id}`);
  }

  // Texts can be read: contrast of 4.5 at least with what is behind them.
  const parse = (c) => (c.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const below = (t) => {
    const b = t.getBBox(), x = b.x + b.width / 2, y = b.y + b.height / 2;
    const marks = [...t.ownerSVGElement.querySelectorAll('rect, circle, polygon')].filter((m) => { const r = m.getBBox(); return x >= r.x && x <= r.x + r.width && y >= r.y && y <= r.y + r.height; });
    return marks.length ? parse(getComputedStyle(marks[marks.length - 1]).fill) : behind(t.ownerSVGElement);
  };
  let looked = 0;
  for (const e of document.body.querySelectorAll('*')) {
    if (!shown(e) || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || e.closest('title, desc')) continue;
    const drawn = e.closest('svg');
    const ratio = contrast(parse(drawn ? getComputedStyle(e).fill : getComputedStyle(e).color), drawn ? below(e) : behind(e));
    looked++;
    if (ratio < 4.5) wrong.push(`contrast of ${ratio.toFixed(2)}: ${name(e)}`);
  }
  if (looked < 3) wrong.push(`only ${looked} texts are to be seen`);

  // On a small screen each cell has its label beside it, in a column of its own.
  for (const e of document.querySelectorAll('tbody td, tbody th')) if (!e.dataset.label || e.dataset.label.length > 10) wrong.push(`a label of none or too many letters: ${e.dataset.label}`);

  // Headings go down one by one, tables have headers, ids are there once, nothing runs.
  let level = 0;
  for (const h of document.querySelectorAll('h1, h2, h3, h4, h5')) {
    const now = +h.tagName[1];
    if (now > level + 1) wrong.push(`a heading is skipped before ${name(h)}`);
    if (!h.textContent.trim()) wrong.push('a heading is empty');
    level = now;
  }
  if (document.querySelectorAll('h1').length !== 1) wrong.push('there is not one h1');
  for (const t of document.querySelectorAll('table')) if (!t.querySelector('thead th[scope=col]')) wrong.push(`a table has no headers: ${name(t)}`);
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  if (new Set(ids).size !== ids.length) wrong.push('an id is there twice');
  if (document.querySelector('script, iframe, object, embed, form, img, link')) wrong.push('there is an element that reaches out or runs');
  for (const e of document.querySelectorAll('*')) for (const a of e.attributes) if (/^on/i.test(a.name)) wrong.push(`${name(e)} has ${a.name}`);
  if (getComputedStyle(document.body).backgroundColor === 'rgba(0, 0, 0, 0)') wrong.push('the style is not applied');
  if (document.querySelector('svg') && drawings.length !== document.querySelectorAll('svg').length / 2) wrong.push(`${drawings.length} of ${document.querySelectorAll('svg').length} drawings are shown`);
  return [...new Set(wrong)];
})
