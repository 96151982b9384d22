// What is wrong with the table that a page shows. Boards of others and the score sheet may scroll within themselves.
() => {
  const bad = [], W = innerWidth, H = innerHeight;
  const inside = r => r.left >= -.5 && r.top >= -.5 && r.right <= W + .5 && r.bottom <= H + .5 && r.width > 0 && r.height > 0;
  const box = q => document.querySelector(q).getBoundingClientRect();
  const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  for (const q of ['#headline', '#own-board', '#hand', '#actions', '#answers', '#over-head', '#next']) {
    const found = document.querySelector(q);
    if (!found) continue;
    const r = found.getBoundingClientRect();
    if (!inside(r)) { bad.push(`${q} is outside: ${JSON.stringify(r)}`); continue; }
    const hit = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    if (!['#hand', '#actions', '#answers'].includes(q) && !found.contains(hit)) bad.push(`${q} is covered by ${hit?.id || hit?.className}`);
  }
  if (document.scrollingElement.scrollHeight > H + 1 || document.scrollingElement.scrollWidth > W + 1) bad.push('the page scrolls');
  const zones = ['#road', '#boards', '#dock'].map(box);
  for (let i = 0; i < 2; i++) if (zones[i].bottom > zones[i + 1].top + .6) bad.push(`zones ${i} and ${i + 1} overlap`);
  const rivals = document.querySelector('.rivals'), own = document.querySelector('#own-board'), o = box('#own-board');
  if (rivals) {
    const r = rivals.getBoundingClientRect();
    if (overlap(r, o)) bad.push('the own board covers the others');
    if (r.height < 44) bad.push(`the others have ${r.height} pixels`);
  }
  for (const b of document.querySelectorAll('#table :is(button, a[href], label, summary)')) {
    const style = getComputedStyle(b);
    if (b.disabled || style.visibility === 'hidden' || !b.checkVisibility()) continue;
    if (b.closest('.rivals, .scroll')) b.scrollIntoView({block: 'nearest'});
    const r = b.getBoundingClientRect(), hit = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    const name = (b.ariaLabel || b.textContent || b.id || b.className).trim().slice(0, 30);
    if (!inside(r)) bad.push(`cut: ${name}`);
    else if (!b.contains(hit)) bad.push(`covered: ${name}, by ${hit?.id || hit?.className}`);
    if (r.width < 24 || r.height < 24) bad.push(`small: ${name}, ${r.width} by ${r.height}`);
    if (b.closest('#hand') && (r.width < 43.9 || r.height < 44)) bad.push(`small card: ${r.width} by ${r.height}`);
    if (b.tagName === 'BUTTON' && !b.querySelector('.badge') && (b.scrollWidth > b.clientWidth + 1 || b.scrollHeight > b.clientHeight + 1)) bad.push(`too long: ${name}`);
  }
  for (const b of document.querySelectorAll('.board .b')) {
    const parts = [...b.querySelectorAll('.who .name, .piles, .dist, .safe, .miles, .state')].map(p => [p.className, p.getBoundingClientRect()]).filter(p => p[1].width);
    for (let i = 0; i < parts.length; i++) for (let j = i + 1; j < parts.length; j++) if (overlap(parts[i][1], parts[j][1])) bad.push(`${b.closest('.board').id}: ${parts[i][0]} covers ${parts[j][0]}`);
  }
  for (const q of ['.name', '.miles', '.dist', '.safe', '.piles']) {
    const r = own.querySelector(q).getBoundingClientRect();
    if (r.right > o.right + .5 || r.bottom > o.bottom + .5 || r.top < o.top - .5 || r.left < o.left - .5) bad.push(`${q} leaves the own board`);
  }
  return [...new Set(bad)];
}
