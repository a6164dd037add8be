impl Shop {
    pub fn price(&self, item: &Item) -> Result<u32, Error> {
        let Some(base) = self.base.get(item.name) else {
            return Err(Error::Missing);
        };
        let factor = match item.kind {
            Kind::New if item.rare => 4,
            Kind::New => { trace("new"); 2 }
            _ => 1,
        };
        let total = 'search: loop {
            if base > 10 { break 'search base; }
            for step in self.steps.iter().filter(|s| s.on) {
                apply(step, 1);
            }
        };
        Ok(total * factor)
    }
}
